;;; ctx-sessions.el --- the sessions of all agents  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-sessions' lists the sessions that the server follows, and below them earlier ones, which are read when one is
;; chosen.

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
  "Return how full the session of ENTRY is, or -1 for an earlier one."
  (or (get-text-property 0 'ctx-percent (aref (cadr entry) 0)) -1))

(define-derived-mode ctx-sessions-mode tabulated-list-mode "Ctx-Sessions"
  "The sessions of all agents.
\\<ctx-sessions-mode-map>
\\[ctx-sessions-status] shows the content of one,
\\[ctx-sessions-hold] keeps one in the mode line,
\\[ctx-sessions-follow] follows the current buffer again."
  (setq tabulated-list-format
        (vector (list "Context" 9 (lambda (a b) (< (ctx-sessions--fullness a) (ctx-sessions--fullness b))))
                '("State" 22 t) '("Agent" 14 t) '("Title" 42 t) '("Session" 9 t) '("Where" 0 t))
        tabulated-list-sort-key '("Context" . t)
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ctx-sessions)))
  (tabulated-list-init-header))

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
                  (if reading (ctx-status--standing reading) (or (plist-get session :activity) ""))
                  (or (plist-get (plist-get reading :lines) :agent) (plist-get session :agent))
                  (ctx-status--plain title)
                  (ctx-status--plain (substring id 0 (min 8 (length id))))
                  (abbreviate-file-name (ctx-status--plain (plist-get session :workspace)))))))

(defun ctx-sessions--earlier-row (session)
  "Return the row of SESSION, which has not been read."
  (let ((id (plist-get session :session)))
    (list id
          (vector ""
                  (format "earlier, %s ago" (ctx-readings-age (plist-get session :modified)))
                  (plist-get session :agent)
                  (ctx-status--plain (or (plist-get session :opening) (plist-get session :title)))
                  (ctx-status--plain (substring id 0 (min 8 (length id))))
                  (abbreviate-file-name (ctx-status--plain (plist-get session :workspace)))))))

(defun ctx-sessions--show (rows)
  "Show ROWS."
  (with-current-buffer (get-buffer-create "*ctx sessions*")
    (unless (derived-mode-p 'ctx-sessions-mode)
      (ctx-sessions-mode))
    (setq tabulated-list-entries rows)
    (tabulated-list-print t)
    (pop-to-buffer (current-buffer))))

;;;###autoload
(defun ctx-sessions ()
  "List the sessions of all agents."
  (interactive)
  (ctx-server-request
   :ctx/sessions nil
   (lambda (answer)
     (let ((rows (seq-map #'ctx-sessions--row (plist-get answer :sessions))))
       (ctx-server-request
        :ctx/earlier nil
        (lambda (earlier)
          (let ((rows (append rows (seq-map #'ctx-sessions--earlier-row (plist-get earlier :sessions)))))
            (if rows
                (ctx-sessions--show rows)
              (message "ctx: no agent session was found")))))))))

(defun ctx-sessions--chosen ()
  "Return the session at point."
  (or (tabulated-list-get-id) (user-error "No session on this line")))

(defun ctx-sessions-status ()
  "Show the content of the session at point."
  (interactive)
  (let ((session (ctx-sessions--chosen)))
    (if (ctx-readings-get session)
        (ctx-status session)
      (ctx-server-request :ctx/focus (list :session session)
                          (lambda (reading)
                            (ctx-readings-put reading)
                            (ctx-status session))))))

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
