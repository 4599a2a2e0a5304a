;;; ctx-sessions.el --- the sessions of all agents  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-sessions' lists all sessions of this machine: those that the server follows, and others, which are read when one
;; is chosen.  Active ones come first, the fullest at the top; the others follow, the newest first.

;;; Code:

(require 'seq)
(require 'subr-x)
(require 'tabulated-list)
(require 'ctx-readings)
(require 'ctx-status)

(defvar ctx-sessions-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ctx-sessions-status)
    (define-key map "h" #'ctx-sessions-hold)
    (define-key map "f" #'ctx-sessions-follow)
    map)
  "Keys of the list of sessions.")

(defun ctx-sessions--fullness (entry)
  "Return how full the session of ENTRY is, or -1 if that is unknown."
  (or (get-text-property 0 'ctx-percent (aref (cadr entry) 0)) -1))

(define-derived-mode ctx-sessions-mode tabulated-list-mode "Ctx-Sessions"
  "The sessions of all agents.
\\<ctx-sessions-mode-map>
\\[ctx-sessions-status] shows the content of one,
\\[ctx-sessions-hold] keeps one in the mode line,
\\[ctx-sessions-follow] follows the current buffer again."
  (setq tabulated-list-sort-key nil
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ctx-sessions)))
  (ctx-sessions--columns (window-width)))

(defun ctx-sessions--columns (width)
  "Set the columns of the list for a window of WIDTH columns.
Titles get the space that is left: folders stay visible in a narrow
window, and the agent and the id in one of 100 columns."
  (setq tabulated-list-format
        (vector (list "Context" 8 (lambda (a b) (< (ctx-sessions--fullness a) (ctx-sessions--fullness b))))
                '("State" 16 t) (list "Title" (max 24 (min 42 (- width 74))) t) '("Where" 22 t) '("Agent" 14 t)
                '("Session" 9 t)))
  (tabulated-list-init-header))

(defun ctx-sessions--where (workspace)
  "Return the end of WORKSPACE for a narrow column."
  (let ((name (abbreviate-file-name (ctx-status--plain workspace))))
    (if (<= (string-width name) 22)
        name
      (let ((last (car (last (split-string name "[/\\\\]" t)))))
        (if (<= (string-width last) 20) (concat "…/" last) (truncate-string-to-width last 22 nil nil "…"))))))

(defun ctx-sessions--agent (agent host)
  "Return the name of AGENT, with that of its HOST, if any.
Names for users are in the readings of other sessions, if any."
  (maphash (lambda (_session reading)
             (let ((name (plist-get (plist-get reading :lines) :agent)))
               (when (and name (equal (plist-get reading :agent) agent) (not (string-empty-p name)))
                 (setq agent name))))
           ctx-readings--by-session)
  (if (or (null host) (string-empty-p host)) agent (format "%s in %s" agent (ctx-status--plain host))))

(defun ctx-sessions--quiet-p (session)
  "Return whether SESSION, as the server lists it, is inactive."
  (member (plist-get session :activity) '("idle" "ended")))

(defun ctx-sessions--time (session)
  "Return when SESSION, read or not, last changed."
  (or (plist-get session :modified) (plist-get session :asOf) 0))

(defun ctx-sessions--before-p (a b)
  "Return whether session A is listed before B."
  (let ((quiet-a (or (plist-get a :modified) (ctx-sessions--quiet-p a)))
        (quiet-b (or (plist-get b :modified) (ctx-sessions--quiet-p b))))
    (cond ((not (eq (null quiet-a) (null quiet-b))) (null quiet-a))
          (quiet-a (> (ctx-sessions--time a) (ctx-sessions--time b)))
          (t (> (or (plist-get a :percent) -1) (or (plist-get b :percent) -1))))))

(defun ctx-sessions--standing (reading)
  "Return the activity of READING's agent, and how long ago it was."
  (let ((state (or (plist-get (plist-get reading :lines) :state) ""))
        (age (and (ctx-sessions--quiet-p reading) (ctx-readings-age (plist-get reading :asOf)))))
    (if age (format "%s, %s ago" state age) state)))

(defun ctx-sessions--row (session)
  "Return the row of SESSION, as the server lists it."
  (let* ((id (plist-get session :session))
         (reading (ctx-readings-get id))
         (display (plist-get session :display))
         (title (seq-find (lambda (text) (and text (not (string-empty-p text))))
                          (list (plist-get session :title) (plist-get reading :opening)
                                (plist-get session :label) ""))))
    (list id
          (vector (propertize (concat (if (plist-get session :parent) " " "")
                                      (plist-get display :mark)
                                      (plist-get display (if (plist-get session :percent) :percent :used)))
                              'ctx-percent (plist-get session :percent))
                  (if reading (ctx-sessions--standing reading) (or (plist-get session :activity) ""))
                  (ctx-status--plain title)
                  (ctx-sessions--where (plist-get session :workspace))
                  (ctx-sessions--agent (or (plist-get (plist-get reading :lines) :agent) (plist-get session :agent))
                                       (plist-get reading :host))
                  (ctx-status--plain (substring id 0 (min 8 (length id))))))))

(defun ctx-sessions--earlier-row (session)
  "Return the row of SESSION, which has not been read.
Its number comes from the end of its transcript."
  (let* ((id (plist-get session :session))
         (seen (plist-get session :glimpse))
         (display (plist-get seen :display))
         (percent (plist-get seen :percent))
         (opening (or (plist-get session :opening) "")))
    (list id
          (vector (propertize (if seen
                                  (concat (if (eq (plist-get seen :part) t) "≥" (plist-get display :mark))
                                          (plist-get display (if percent :percent :used)))
                                "")
                              'ctx-percent percent)
                  (format "%s ago" (ctx-readings-age (plist-get session :modified)))
                  (ctx-status--plain (if (string-empty-p opening) (plist-get session :title) opening))
                  (ctx-sessions--where (plist-get session :workspace))
                  (ctx-sessions--agent (plist-get session :agent) (plist-get session :host))
                  (ctx-status--plain (substring id 0 (min 8 (length id))))))))

(defun ctx-sessions--show (sessions)
  "Show SESSIONS, read and unread ones."
  (with-current-buffer (get-buffer-create "*ctx sessions*")
    (unless (derived-mode-p 'ctx-sessions-mode)
      (ctx-sessions-mode))
    (setq tabulated-list-entries
          (mapcar (lambda (session)
                    (if (plist-get session :modified) (ctx-sessions--earlier-row session) (ctx-sessions--row session)))
                  (sort sessions #'ctx-sessions--before-p)))
    (pop-to-buffer (current-buffer))
    (ctx-sessions--columns (window-width))
    (tabulated-list-print t)))

(defconst ctx-sessions--most 500
  "How many unread sessions are listed; the server lists no more.")

(defun ctx-sessions--missing (sessions)
  "Return how many of the unread SESSIONS of the last day have no preview."
  (seq-count (lambda (session)
               (and (null (plist-get session :glimpse))
                    (> (plist-get session :modified) (* 1000 (- (float-time) 86400)))))
             sessions))

(defun ctx-sessions--earlier (done &optional before)
  "Call DONE with the sessions that the server has not read.
One answer reads only some transcripts, so the request is repeated
while previews are missing, and fewer than BEFORE."
  (ctx-server-request
   :ctx/earlier (list :limit ctx-sessions--most)
   (lambda (answer)
     (let* ((sessions (append (plist-get answer :sessions) nil))
            (missing (ctx-sessions--missing sessions)))
       (if (or (zerop missing) (and before (>= missing before)))
           (funcall done sessions)
         (ctx-sessions--earlier done missing))))))

;;;###autoload
(defun ctx-sessions ()
  "List all sessions of this machine."
  (interactive)
  ;; The unread ones first: a session that is read between the two replies is then in both, not in neither.
  (ctx-sessions--earlier
   (lambda (earlier)
     (ctx-server-request
      :ctx/sessions nil
      (lambda (answer)
        (let* ((read (append (plist-get answer :sessions) nil))
               (ids (mapcar (lambda (session) (plist-get session :session)) read))
               (unread (seq-remove (lambda (session) (member (plist-get session :session) ids)) earlier)))
          (if (or read unread)
              (ctx-sessions--show (append read unread))
            (message "ctx: no agent session was found"))))))))

(defun ctx-sessions--chosen ()
  "Return the session at point."
  (or (tabulated-list-get-id) (user-error "No session on this line")))

(defun ctx-sessions-status ()
  "Show the content of the session at point."
  (interactive)
  (ctx-status (ctx-sessions--chosen)))

(defun ctx-sessions-hold ()
  "Keep the session at point in the mode line."
  (interactive)
  (ctx-readings-hold (ctx-sessions--chosen))
  (message "ctx: this session stays in the mode line; f follows the current buffer again"))

(defun ctx-sessions-follow ()
  "Follow the current buffer again."
  (interactive)
  (ctx-readings-hold nil))

(provide 'ctx-sessions)
;;; ctx-sessions.el ends here
