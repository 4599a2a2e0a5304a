;;; ctx.el --- Context window meter for coding agents  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; Author: The ctx-lsp authors
;; URL: https://github.com/ctx-lsp/ctx-lsp
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: tools, convenience
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A coding agent works in this directory, and the mode line shows how full its context window is:
;;
;;     -:---  notes.md   All   (Markdown)  ctx ~62% · 41k to compact
;;
;; `ctx-mode' turns this on.  `ctx-status' shows the content of the window, the compaction threshold, and what you can
;; remove; `ctx-sessions' lists the sessions of all agents; `ctx-handover' writes a handover note; `ctx-fits' shows
;; whether a text would fit.  `ctx-eglot' lets Eglot show the cost of prompt files.
;;
;; It needs the program ctx-lsp, which reads the files that agents write on this machine.  Nothing leaves the machine.

;;; Code:

(require 'seq)
(require 'subr-x)
(require 'ctx-server)
(require 'ctx-readings)

(autoload 'ctx-status "ctx-status" "Show the content of the context window." t)
(autoload 'ctx-sessions "ctx-sessions" "List the sessions of all agents." t)
(autoload 'ctx-handover "ctx-retold" "Write a handover note." t)
(autoload 'ctx-forgot "ctx-retold" "Show what the last compaction dropped." t)
(autoload 'ctx-fits "ctx-retold" "Show whether a text would fit." t)
(autoload 'ctx-sees-mode "ctx-sight" "Mark the lines of this file that are in the next request." t)

(defcustom ctx-notify "soon"
  "The lowest level that shows a message before a session is compacted."
  :type '(choice (const :tag "Never" nil) (const "soon") (const "now") (const "over"))
  :group 'ctx)

(defconst ctx--levels '("ok" "soon" "now" "over")
  "The levels, in ascending order.")

(defconst ctx--notices '(("soon" . "compacts soon") ("now" . "is about to compact") ("over" . "compacts now"))
  "The message of each level.")

(defvar ctx--pending-levels (make-hash-table :test 'equal)
  "Levels that sessions crossed before any buffer showed them.")

(defvar ctx--aging nil
  "The timer that updates the age of idle sessions.")

(defvar ctx-mode-line-map
  (let ((map (make-sparse-keymap)))
    (define-key map [mode-line mouse-1] #'ctx-status)
    (define-key map [mode-line mouse-3] #'ctx-sessions)
    map)
  "Keys of the text in the mode line.")

(defun ctx-mode-line ()
  "Return the text of the current buffer's session, for the mode line."
  (let* ((reading (ctx-readings-current))
         (text (plist-get (plist-get reading :lines) :status)))
    (if (or (null text) (string-empty-p text))
        (if ctx-readings-searching " ctx: searching" "")
      (let ((age (and (member (plist-get reading :activity) '("idle" "ended"))
                      (string-suffix-p (plist-get reading :activity) text)
                      (ctx-readings-age (plist-get reading :asOf)))))
        (concat " "
                (propertize (replace-regexp-in-string "%" "%%" (concat text (if age (concat " " age) "") (ctx--soon reading)) t t)
                            'face (ctx-readings-face reading)
                            'help-echo (format "%s\nmouse-1: content, mouse-3: all sessions"
                                               (or (plist-get (plist-get reading :focus) :because)
                                                   (plist-get reading :opening)
                                                   (plist-get reading :title) ""))
                            'mouse-face 'mode-line-highlight
                            'local-map ctx-mode-line-map))))))

(defun ctx--soon (reading)
  "Return the text about the prompt cache of READING for the mode line.
A template of the user's own is left as it is."
  (if (equal ctx-format (eval (car (get 'ctx-format 'standard-value)) t)) (ctx-readings-soon reading) ""))

(defun ctx--level (params)
  "Show that a session has crossed a level, as PARAMS report."
  (let ((session (plist-get params :session)))
    (ctx-readings-put (plist-get params :reading))
    (remhash session ctx--pending-levels)
    (when (and ctx-notify
               (equal (plist-get params :crossed) "up")
               (>= (seq-position ctx--levels (plist-get params :level)) (seq-position ctx--levels ctx-notify)))
      (puthash session (plist-get params :level) ctx--pending-levels)
      (when (ctx-readings-shown-p session)
        (ctx--notify-level session)))))

(defun ctx--notify-level (session)
  "Show which level SESSION has crossed, unless that was shown before."
  (let* ((level (gethash session ctx--pending-levels))
         (reading (ctx-readings-get session))
         (display (plist-get reading :display))
         (threshold (plist-get display :threshold))
         (compaction (plist-get reading :compaction))
         (hint (plist-get (plist-get compaction :hint) :text))
         (full (and hint (null (plist-get compaction :threshold)) (not (string-empty-p hint))))) ; there is no threshold
    (remhash session ctx--pending-levels)
    (when level
      (message "%s%s %s%s"
               (or (plist-get (plist-get reading :lines) :agent) "The agent")
               (if full ":" "")
               (cond (full hint)
                     ((equal level "over") (ctx-readings-past reading))
                     (t (cdr (assoc level ctx--notices))))
               (if (member threshold '(nil "" "?")) ""
                 (format " (%s%s of %s)" (plist-get display :mark) (plist-get display :used) threshold))))))

(defun ctx--update (&rest _)
  "Redraw the mode lines."
  (force-mode-line-update t))

(defconst ctx--handlers
  `((ctx/reading . ctx-readings-put)
    (ctx/level . ctx--level)
    (ctx/focused . ctx-readings--changed-focus)
    (ctx/searched . ctx-readings--searched)
    (ctx/closed . ctx-readings--closed))
  "The handlers of the server's notifications.")

(defconst ctx--item '(ctx-mode (:eval (ctx-mode-line)))
  "The text in the mode line.")

;;;###autoload
(define-minor-mode ctx-mode
  "Show in the mode line how full the context of a coding agent is."
  :global t
  :group 'ctx
  (setq mode-line-misc-info (delete ctx--item mode-line-misc-info))
  (if ctx-mode
      (progn
        (setq mode-line-misc-info (append mode-line-misc-info (list ctx--item))
              ctx-server-handlers ctx--handlers)
        (add-hook 'ctx-server-ready-functions #'ctx-readings-watch)
        (add-hook 'ctx-server-ended-functions #'ctx-readings-forget)
        (add-hook 'ctx-readings-changed-functions #'ctx--update)
        (add-hook 'ctx-readings-shown-functions #'ctx--notify-level)
        (add-hook 'window-selection-change-functions #'ctx-readings-look)
        (add-hook 'window-buffer-change-functions #'ctx-readings-look)
        (add-hook 'kill-emacs-hook #'ctx-server-stop)
        (setq ctx--aging (run-with-timer 60 60 #'ctx--update))
        (ctx-server-start))
    (remove-hook 'window-selection-change-functions #'ctx-readings-look)
    (remove-hook 'window-buffer-change-functions #'ctx-readings-look)
    (remove-hook 'kill-emacs-hook #'ctx-server-stop)
    (when ctx--aging
      (cancel-timer ctx--aging)
      (setq ctx--aging nil))
    (ctx-server-stop)
    (clrhash ctx--pending-levels)
    (ctx-readings-forget)))

(defun ctx-restart ()
  "Restart the server."
  (interactive)
  (ctx-mode -1)
  (ctx-mode 1))

(defvar eglot-server-programs)

;;;###autoload
(defun ctx-eglot ()
  "Let Eglot start ctx-lsp for Markdown, to show the cost of prompt files.
Eglot starts one server for a mode, so this replaces another one for
Markdown."
  (interactive)
  (require 'eglot)
  (let ((command (ctx-server--program)))
    (unless command
      (user-error "%s" ctx-server-problem))
    ;; The mode line already shows the number, so this connection need not show it as progress.
    (add-to-list 'eglot-server-programs
                 `((markdown-mode gfm-mode) . (,@command :initializationOptions (:watch :json-false))))))

(provide 'ctx)
;;; ctx.el ends here
