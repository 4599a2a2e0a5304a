;;; ctx-sight.el --- which lines of a file are in the next request  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-sees-mode' marks, in the fringe or on a terminal before each line, what the next request of the session holds of
;; the file.  Nothing is requested until it is on.

;;; Code:

(require 'seq)
(require 'subr-x)
(require 'ctx-readings)

(defface ctx-sight-verbatim '((t :inherit success))
  "A line that is in the next request as it is."
  :group 'ctx)

(defface ctx-sight-own '((t :inherit font-lock-keyword-face))
  "A line that is in the next request as the agent wrote it."
  :group 'ctx)

(defface ctx-sight-stale '((t :inherit warning))
  "A line that is in the next request with another text."
  :group 'ctx)

(defface ctx-sight-summarized '((t :inherit font-lock-constant-face))
  "A line of which the next request has only a summary."
  :group 'ctx)

(defface ctx-sight-gone '((t :inherit error))
  "A line that is no longer in the next request."
  :group 'ctx)

(defface ctx-sight-unknown '((t :inherit shadow))
  "A line of which it is unknown whether it is in the next request."
  :group 'ctx)

(defconst ctx-sight--marks
  '(("verbatim" ctx-sight-verbatim "┃" [24 24 24 24 24 24 24 24 24 24 24 24 24 24 24 24])
    ("own" ctx-sight-own "║" [36 36 36 36 36 36 36 36 36 36 36 36 36 36 36 36])
    ("stale" ctx-sight-stale "~" [0 0 0 0 16 16 56 56 124 124 254 254 0 0 0 0])
    ("summarized" ctx-sight-summarized "┆" [24 24 24 0 0 24 24 24 0 0 24 24 24 0 0 0])
    ("gone" ctx-sight-gone "×" [0 0 0 0 66 102 60 24 24 60 102 66 0 0 0 0])
    ("unknown" ctx-sight-unknown "?" [0 0 60 102 6 12 24 24 0 24 24 0 0 0 0 0]))
  "The face, the character and the fringe bitmap of each state.
The shapes differ without their colors too.")

(defvar-local ctx-sight--answer nil
  "The last answer about this buffer.")

(defvar-local ctx-sight--asking nil
  "Whether a request about this buffer is on its way.
It is `again' if the buffer has changed since.")

(defun ctx-sight--bitmap (state)
  "Return the fringe bitmap of STATE."
  (intern (concat "ctx-sight-bitmap-" state)))

(defun ctx-sight--time (at)
  "Return the time AT, in milliseconds since 1970, after a comma."
  (if at (format-time-string ", %F %H:%M" (/ at 1000)) ""))

(defun ctx-sight--about (range)
  "Return what RANGE is: its state, its item and the time."
  (concat (plist-get (plist-get range :text) :text) (ctx-sight--time (plist-get range :at))))

(defun ctx-sight--overlay (from to &rest properties)
  "Put an overlay with PROPERTIES on the text between FROM and TO."
  (let ((overlay (make-overlay from to)))
    (overlay-put overlay 'ctx-sight t)
    (while properties
      (overlay-put overlay (pop properties) (pop properties)))))

(defun ctx-sight--mark (range)
  "Mark the lines of RANGE, which begin at point.
Leave point after them."
  (pcase-let ((`(,face ,sign ,_) (cdr (assoc (plist-get range :state) ctx-sight--marks)))
              (count (- (plist-get range :to) (plist-get range :from) -1))
              (from (point)))
    (cond ((null face) (forward-line count))
          ((display-graphic-p)
           (dotimes (_ count)
             (ctx-sight--overlay
              (point) (point) 'before-string
              (propertize "!" 'display (list 'left-fringe (ctx-sight--bitmap (plist-get range :state)) face)))
             (forward-line 1)))
          (t (forward-line count)))
    (ctx-sight--overlay from (point) 'help-echo (ctx-sight--about range))
    (when (and face (not (display-graphic-p)))
      (ctx-sight--overlay from (point) 'line-prefix (concat (propertize sign 'face face) " ")))))

(defun ctx-sight--clear ()
  "Unmark all lines of this buffer."
  (save-restriction
    (widen)
    (remove-overlays (point-min) (point-max) 'ctx-sight t)))

(defun ctx-sight--draw (answer)
  "Draw ANSWER before the lines of this buffer.
The first one is also shown as a message."
  (unless (or ctx-sight--answer (not (get-buffer-window)))
    (message "%s" (plist-get (plist-get answer :text) :text)))
  (setq ctx-sight--answer answer)
  (ctx-sight--clear)
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (seq-doseq (range (plist-get answer :ranges))
        (when (> (plist-get range :from) 0)
          (ctx-sight--mark range)))))
  (force-mode-line-update))

(defun ctx-sight--sentence (text)
  "Return an answer that has only TEXT."
  (list :ranges [] :text (list :text text)))

(defun ctx-sight--answered (buffer answer)
  "Draw ANSWER in BUFFER, unless the buffer has changed since."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (let ((again (eq ctx-sight--asking 'again)))
        (setq ctx-sight--asking nil)
        (cond ((not (bound-and-true-p ctx-sees-mode)))
              (again (ctx-sight--ask))
              (t (ctx-sight--draw answer)))))))

(defun ctx-sight--ask (&rest _)
  "Request an answer about this buffer's file.
At most one request is on its way, so that typing never waits for an old one."
  (let ((session (plist-get (ctx-readings-current) :session))
        (buffer (current-buffer)))
    (cond (ctx-sight--asking (setq ctx-sight--asking 'again))
          ((null buffer-file-name)) ; the buffer is being reverted, which asks again
          ((null session) (ctx-sight--draw (ctx-sight--sentence "no session is shown")))
          ((not (ctx-server-ready-p)) (ctx-sight--draw (ctx-sight--sentence "the server is not running")))
          (t
           (setq ctx-sight--asking t)
           (ctx-server-request
            :ctx/sees
            (append (list :id session :path (expand-file-name buffer-file-name))
                    (when (buffer-modified-p)
                      (list :text (save-restriction
                                    (widen)
                                    (buffer-substring-no-properties (point-min) (point-max))))))
            (lambda (answer) (ctx-sight--answered buffer answer))
            (lambda (sentence) (ctx-sight--answered buffer (ctx-sight--sentence sentence))))))))

(defun ctx-sight--changed (reading)
  "Ask again in the buffers that show the session of READING."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (bound-and-true-p ctx-sees-mode)
                 (equal (plist-get reading :session) (plist-get (ctx-readings-current) :session)))
        (ctx-sight--ask)))))

(defun ctx-sight-text ()
  "Return the sentence about this buffer, for a mode line.
It is empty while `ctx-sees-mode' is off."
  (if ctx-sight--answer (plist-get (plist-get ctx-sight--answer :text) :text) ""))

(defun ctx-sight--lighter ()
  "Return the text in the mode line.
It is the number of lines in the request, of all lines."
  (let ((held (plist-get ctx-sight--answer :held))
        (all (or (plist-get ctx-sight--answer :lines) 0)))
    (propertize (if (and held (> all 0)) (format " [sees %d/%d]" held all) " [sees]")
                'help-echo (ctx-sight-text))))

;;;###autoload
(define-minor-mode ctx-sees-mode
  "Mark which lines of this file are in the next request of the session.
\\[display-local-help] explains the line at point."
  :lighter (:eval (ctx-sight--lighter))
  :group 'ctx
  (cond ((not ctx-sees-mode)
         (remove-hook 'after-change-functions #'ctx-sight--ask t)
         (remove-hook 'after-save-hook #'ctx-sight--ask t)
         (remove-hook 'after-revert-hook #'ctx-sight--ask t)
         (setq ctx-sight--answer nil
               ctx-sight--asking nil)
         (ctx-sight--clear))
        ((or (null buffer-file-name) (file-remote-p buffer-file-name))
         (setq ctx-sees-mode nil)
         (user-error "This buffer is not a file of this machine"))
        (t
         (when (display-graphic-p)
           (dolist (mark ctx-sight--marks)
             (define-fringe-bitmap (ctx-sight--bitmap (car mark)) (nth 3 mark))))
         (add-hook 'ctx-readings-changed-functions #'ctx-sight--changed)
         (add-hook 'after-change-functions #'ctx-sight--ask nil t)
         (add-hook 'after-save-hook #'ctx-sight--ask nil t)
         (add-hook 'after-revert-hook #'ctx-sight--ask nil t)
         (ctx-sight--ask))))

;; A buffer that is reverted keeps its marks.
(put 'ctx-sees-mode 'permanent-local t)
(put 'ctx-sight--answer 'permanent-local t)
(put 'ctx-sight--asking 'permanent-local t)
(put 'ctx-sight--ask 'permanent-local-hook t)

(provide 'ctx-sight)
;;; ctx-sight.el ends here
