;;; ctx-status.el --- what fills the context window  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-status' shows the panel of the current session: who it is, the content of its window, its compaction threshold,
;; and what you can remove.  The panel contains every text in its order; this file chooses columns and faces.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'ctx-readings)

(defconst ctx-status--buffer "*ctx*"
  "The name of the buffer.")

(defconst ctx-status--window-cells 60
  "Number of columns of the bar of the whole window.")

(defconst ctx-status--row-cells 16
  "Number of columns of the bar of the fullest row.")

(defvar-local ctx-status--session nil
  "The session that this buffer shows.")

(defun ctx-status-number (n)
  "Return N with commas between its thousands, or a question mark."
  (if (numberp n)
      (let ((digits (number-to-string (truncate n))))
        (while (string-match "\\`\\(-?[0-9]+\\)\\([0-9]\\{3\\}\\)" digits)
          (setq digits (replace-match "\\1,\\2" t nil digits)))
        digits)
    "?"))

(defun ctx-status--plain (text)
  "Return TEXT on one line and without control characters."
  (replace-regexp-in-string "[[:cntrl:]]+" " " (or text "")))

(defun ctx-status--cells (percent width)
  "Return the number of cells that are PERCENT of WIDTH cells."
  (max 0 (min width (round (* percent width) 100))))

;; The panel.  Times are the reading's; the clock is this editor's.

(defun ctx-status--time (at as)
  "Return the time AT in the form AS."
  (pcase as
    ("minutes" (format "%d min" (1+ (floor (- at (ctx-readings-now)) 60000))))
    ("age" (ctx-readings-age at))
    (_ (let ((time (seconds-to-time (/ at 1000))) (now (seconds-to-time (/ (ctx-readings-now) 1000))))
         (format-time-string
          (if (equal (format-time-string "%F" time) (format-time-string "%F" now)) "%H:%M" "%F %H:%M") time)))))

(defun ctx-status--value (row)
  "Return the value of ROW now, or nil if it has none."
  (let ((now (ctx-readings-now)) (said row))
    (when (plist-get row :dated)
      (setq said nil)
      (seq-do (lambda (dated) (when (<= (plist-get dated :from) now) (setq said dated))) (plist-get row :dated)))
    (let ((text (plist-get (plist-get said :value) :text)) (at (plist-get said :at)))
      (when text
        (ctx-status--plain
         (if (and at (string-match "{time}" text))
             (replace-match (ctx-status--time at (plist-get said :as)) t t text)
           text))))))

(defun ctx-status--text (row part)
  "Return the text of PART of ROW, or an empty string."
  (ctx-status--plain (plist-get (plist-get row part) :text)))

(defun ctx-status--tone (row)
  "Return the face for the tone of ROW."
  (pcase (plist-get row :tone)
    ("soon" 'ctx-soon)
    ((or "now" "over") 'ctx-now)
    ("strong" 'bold)
    ("quiet" 'shadow)))

(defun ctx-status--rows (section)
  "Return the rows of the long form of SECTION now."
  (unless (equal (plist-get section :only) "short")
    (seq-filter (lambda (row) (and (not (equal (plist-get row :only) "short")) (ctx-status--value row)))
                (plist-get section :rows))))

(defun ctx-status--window-bar (row)
  "Return the bar of the window for ROW, with the compaction threshold."
  (let* ((filled (ctx-status--cells (plist-get row :share) ctx-status--window-cells))
         (threshold (plist-get row :mark))
         (bar (concat (propertize (make-string filled ?█) 'face (ctx-status--tone row))
                      (propertize (make-string (- ctx-status--window-cells filled) ?░) 'face 'shadow))))
    (when (and threshold (<= threshold 100))
      (let ((at (min (1- ctx-status--window-cells) (ctx-status--cells threshold ctx-status--window-cells))))
        (setq bar (concat (substring bar 0 at) (propertize "┃" 'face 'bold) (substring bar (1+ at))))))
    bar))

(defun ctx-status--session-rows (rows)
  "Insert ROWS about who the session is."
  (let ((first (seq-remove (lambda (row) (member (plist-get row :id) '("name" "title" "workspace"))) rows)))
    (insert (propertize (mapconcat #'ctx-status--value first " · ") 'face 'bold) "\n")
    (dolist (row rows)
      (pcase (plist-get row :id)
        ("title" (insert (ctx-status--value row) "\n"))
        ("workspace" (insert (propertize (abbreviate-file-name (ctx-status--value row)) 'face 'shadow) "\n"))))))

(defun ctx-status--window-rows (rows)
  "Insert ROWS about how full the window is, and its bar."
  (insert "\n")
  (dolist (row rows)
    (pcase (plist-get row :id)
      ("full")
      ("usage"
       (insert (propertize (ctx-status--value row) 'face (ctx-status--tone row)) "  " (ctx-status--text row :note) "\n")
       (when (plist-get row :share) (insert (ctx-status--window-bar row) "\n")))
      (_ (insert (propertize (ctx-status--value row) 'face (ctx-status--tone row)) "\n")))))

(defun ctx-status--link (row text)
  "Return TEXT, which opens the session of ROW if it has one."
  (if (plist-get row :session)
      (let ((session (plist-get row :session)))
        (make-text-button text nil 'action (lambda (_) (ctx-status session)) 'follow-link t))
    text))

(defun ctx-status--number-rows (rows)
  "Insert ROWS with numbers: label, number, and a bar or a note."
  (let ((width (apply #'max (mapcar (lambda (row) (string-width (ctx-status--text row :label))) rows)))
        (digits (apply #'max (mapcar (lambda (row) (string-width (ctx-status--value row))) rows))))
    (dolist (row rows)
      (let ((label (ctx-status--text row :label)) (value (ctx-status--value row)))
        (insert "  " (propertize label 'face (ctx-status--tone row)) (make-string (- width (string-width label)) ?\s)
                " " (make-string (- digits (string-width value)) ?\s) value " "
                (if (plist-get row :bar)
                    (make-string (ctx-status--cells (plist-get row :bar) ctx-status--row-cells) ?█)
                  (ctx-status--text row :note))
                "\n")))))

(defun ctx-status--fact-rows (rows)
  "Insert ROWS with sentences: label and value."
  (dolist (row rows)
    (let ((label (concat (make-string (* 2 (or (plist-get row :depth) 0)) ?\s) (ctx-status--text row :label)))
          (value (string-trim (concat (ctx-status--value row) " " (ctx-status--text row :note)))))
      (insert "  " (propertize (format "%-16s" label) 'face 'shadow)
              (ctx-status--link row (propertize value 'face (ctx-status--tone row))) "\n"))))

(defun ctx-status--draw (reading)
  "Draw the panel of READING in the current buffer."
  (let ((inhibit-read-only t) (line (line-number-at-pos)) (column (current-column)))
    (erase-buffer)
    (seq-do
     (lambda (section)
       (let ((rows (ctx-status--rows section)) (id (plist-get section :id)))
         (cond ((null rows))
               ((equal id "session") (ctx-status--session-rows rows))
               ((equal id "window") (ctx-status--window-rows rows))
               (t
                (insert "\n" (propertize (ctx-status--text section :title) 'face 'bold) "\n")
                (if (or (equal id "contents") (plist-get (car rows) :share))
                    (ctx-status--number-rows rows)
                  (ctx-status--fact-rows rows))))))
     (plist-get (plist-get reading :panel) :sections))
    (goto-char (point-min))
    (forward-line (1- line))
    (move-to-column column)))

(defun ctx-status--look (&optional done)
  "Request the panel of the buffer's session, draw it, and call DONE."
  (let ((buffer (current-buffer)) (session ctx-status--session))
    (ctx-server-request
     :ctx/session/reading (list :id session :panel t)
     (lambda (reading)
       (when (and (buffer-live-p buffer) (equal session (buffer-local-value 'ctx-status--session buffer))
                  (ctx-server-reading-p reading))
         (with-current-buffer buffer
           (ctx-status--draw reading)
           (when done (funcall done))))))))

(defun ctx-status--follow (reading)
  "Redraw the buffer of the session of READING."
  (let ((buffer (get-buffer ctx-status--buffer)))
    (when (and buffer (equal (plist-get reading :session) (buffer-local-value 'ctx-status--session buffer)))
      (with-current-buffer buffer
        (ctx-status--look)))))

(define-derived-mode ctx-status-mode special-mode "Ctx"
  "The content of a session's context window.
The buffer follows the session."
  (setq-local revert-buffer-function
              (lambda (&rest _)
                (if (ctx-readings-get ctx-status--session)
                    (ctx-status--look)
                  (user-error "The session was closed")))))

;;;###autoload
(defun ctx-status (&optional session)
  "Show the content of the context window of SESSION or the current session."
  (interactive)
  (let ((reading (if session (ctx-readings-get session) (ctx-readings-current))))
    (cond
     (reading
      (add-hook 'ctx-readings-changed-functions #'ctx-status--follow)
      (with-current-buffer (get-buffer-create ctx-status--buffer)
        (ctx-status-mode)
        (setq ctx-status--session (plist-get reading :session)
              ctx-readings--session ctx-status--session)
        (ctx-status--look (lambda ()
                            (goto-char (point-min))
                            (pop-to-buffer (current-buffer))))))
     (session ; the server has not read it
      (ctx-server-request :ctx/focus (list :session session)
                          (lambda (reading)
                            (ctx-readings-put reading)
                            (when (ctx-readings-get session)
                              (ctx-status session)))))
     (t (user-error "%s" (or ctx-server-problem
                             (if (ctx-server-ready-p)
                                 "No agent was active here in the last 24 hours; M-x ctx-sessions lists all sessions"
                               "The server is not running; start it with M-x ctx-mode")))))))

(provide 'ctx-status)
;;; ctx-status.el ends here
