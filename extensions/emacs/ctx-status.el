;;; ctx-status.el --- what fills the context window  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-status' shows the content of the current session's window, its compaction threshold, and what you can remove.
;; The reading contains everything that is printed; only bars are drawn here.

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

(defun ctx-status-mark (basis)
  "Return the sign before a number of BASIS."
  (pcase basis
    ((or "estimated" "measured+estimated") "~")
    ("unknown" "?")
    (_ "")))

(defun ctx-status--plain (text)
  "Return TEXT on one line and without control characters."
  (replace-regexp-in-string "[[:cntrl:]]+" " " (or text "")))

(defun ctx-status--cells (percent width)
  "Return the number of cells that are PERCENT of WIDTH cells."
  (max 0 (min width (round (* percent width) 100))))

(defun ctx-status--window-bar (reading)
  "Return the bar of the window of READING, with the compaction threshold."
  (let* ((filled (ctx-status--cells (plist-get reading :percent) ctx-status--window-cells))
         (threshold (plist-get (plist-get reading :compaction) :thresholdShare))
         (bar (concat (propertize (make-string filled ?█) 'face (ctx-readings-face reading))
                      (propertize (make-string (- ctx-status--window-cells filled) ?░) 'face 'shadow))))
    (when (and (numberp threshold) (<= threshold 100))
      (let ((at (min (1- ctx-status--window-cells) (ctx-status--cells threshold ctx-status--window-cells))))
        (setq bar (concat (substring bar 0 at) (propertize "┃" 'face 'bold) (substring bar (1+ at))))))
    bar))

(defun ctx-status--range (range)
  "Return the forecast RANGE in words, or nil."
  (when range
    (let ((low (plist-get range :low)) (likely (plist-get range :likely)) (high (plist-get range :high)))
      (cond ((and likely (>= likely 200)) "hundreds of")
            ((equal low high) (ctx-status-number low))
            (t (format "%s (%s to %s)" (ctx-status-number likely) (ctx-status-number low)
                       (if high (ctx-status-number high) "many")))))))

(defun ctx-status--heading (text)
  "Insert TEXT as the heading of a section."
  (insert "\n" (propertize text 'face 'bold) "\n"))

(defun ctx-status--fact (label value &optional face)
  "Insert LABEL and VALUE, in FACE, in a line."
  (insert "  " (propertize (format "%-16s" label) 'face 'shadow) (propertize value 'face face) "\n"))

(defun ctx-status--summary (reading)
  "Insert the agent of READING, and the number."
  (let* ((display (plist-get reading :display))
         (compaction (plist-get reading :compaction))
         (left (plist-get compaction :left))
         (lines (plist-get reading :lines))
         (limit (plist-get reading :limit)))
    (insert (propertize
             (mapconcat #'ctx-status--plain
                        (seq-remove #'string-empty-p
                                    (list (or (plist-get lines :agent) "") (or (plist-get reading :model) "")
                                          (ctx-status--host reading) (ctx-status--standing reading)))
                        " · ")
             'face 'bold)
            "\n")
    (let ((title (or (plist-get reading :opening) (plist-get reading :title) "")))
      (unless (string-empty-p title)
        (insert (ctx-status--plain title) "\n")))
    (unless (string-empty-p (or (plist-get reading :workspace) ""))
      (insert (propertize (abbreviate-file-name (ctx-status--plain (plist-get reading :workspace))) 'face 'shadow) "\n"))
    (insert "\n"
            (propertize (concat (plist-get display :mark)
                                (when (plist-get reading :percent) (concat (plist-get display :percent) "  ")))
                        'face (ctx-readings-face reading))
            (plist-get display :used)
            (if limit (concat " of " (plist-get display :limit)) ", window unknown")
            (cond ((and left (<= left 0)) (concat " · " (ctx-readings-past reading)))
                  (left (format " · %s until it compacts" (plist-get display :left)))
                  (limit (format " · %s free" (plist-get display :free)))
                  (t ""))
            "\n")
    (when (plist-get reading :percent)
      (insert (ctx-status--window-bar reading) "\n"))))

(defun ctx-status--host (reading)
  "Return the host of the session of READING, or an empty string."
  (let ((host (or (plist-get reading :host) "")))
    (if (string-empty-p host) "" (concat "in " host))))

(defun ctx-status--standing (reading)
  "Return the activity of READING's agent, and how long ago it was."
  (let ((state (or (plist-get (plist-get reading :lines) :state) ""))
        (age (and (member (plist-get reading :activity) '("idle" "ended")) (ctx-readings-age (plist-get reading :asOf)))))
    (if age (format "%s, %s ago" state age) state)))

(defun ctx-status--compaction (reading)
  "Insert the compaction threshold of the session of READING."
  (let* ((compaction (plist-get reading :compaction))
         (threshold (plist-get compaction :threshold))
         (left (plist-get compaction :left))
         (calls (ctx-status--range (plist-get compaction :callsLeft)))
         (turns (ctx-status--range (plist-get compaction :turnsLeft)))
         (from (plist-get compaction :forecastFrom))
         (landing (plist-get compaction :landing)))
    (ctx-status--heading "Compaction")
    (ctx-status--fact "threshold"
                      (cond ((null threshold) "unknown for this session")
                            ((<= left 0) (format "past %s: it %s" (ctx-status-number threshold) (ctx-readings-past reading)))
                            (t (format "%s · %s left" (ctx-status-number threshold) (ctx-status-number left))))
                      (ctx-readings-face reading))
    (when (or calls turns)
      (ctx-status--fact "forecast" (mapconcat #'identity
                                              (delq nil (list (and calls (concat calls (if (equal calls "1") " request" " requests")))
                                                              (and turns (concat turns (if (equal turns "1") " turn" " turns")))
                                                              (and (null threshold) "until the window is full")
                                                              (and (not (member from '(nil ""))) from)))
                                              " · ")))
    (when landing
      (ctx-status--fact "afterwards" (format "%s to %s tokens stay" (ctx-status-number (plist-get landing :low))
                                             (ctx-status-number (plist-get landing :high)))))
    (let ((verdict (plist-get (plist-get reading :verdict) :text))
          (back (ctx-readings-back reading))
          (breaks (ctx-readings-breaks reading)))
      (when verdict (ctx-status--fact "last time" verdict))
      (when back (ctx-status--fact "prompt cache" back))
      (when breaks (ctx-status--fact "cache breaks" breaks)))
    (unless (string-empty-p (or (plist-get compaction :rule) ""))
      (ctx-status--fact "rule" (plist-get compaction :rule)))
    (ctx-status--sources compaction)))

(defun ctx-status--sources (compaction)
  "Insert the sources of the threshold of COMPACTION, in order of precedence."
  (let ((label "sources"))
    (seq-do
     (lambda (source)
       (let ((value (or (plist-get source :value) ""))
             (note (or (plist-get source :note) ""))
             (threshold (plist-get source :threshold))
             (state (plist-get source :state)))
         (ctx-status--fact
          label
          (ctx-status--plain
           (concat (if threshold (ctx-status-number threshold) "-") " "
                   (pcase state ("inForce" "in force") ("withoutEffect" "without effect") (_ state))
                   ": " (plist-get source :name)
                   (if (string-empty-p value) "" (concat " = " value))
                   (if (string-empty-p note) "" (format " (%s)" note))))
          (unless (equal state "inForce") 'shadow))
         (setq label "")))
     (plist-get compaction :sources))))

(defun ctx-status--breakdown (reading)
  "Insert the content of the window of READING."
  (ctx-status--heading "Contents")
  (let* ((rows (append (plist-get reading :breakdown) nil))
         (labels (mapcar (lambda (row) (ctx-status--plain (plist-get row :label))) rows))
         (width (apply #'max 9 (mapcar #'string-width labels)))
         (compaction (plist-get reading :compaction)))
    (cl-flet ((row (label number note face)
                (insert "  " (propertize label 'face face) (make-string (- width (string-width label)) ?\s)
                        (format " %12s %s\n" number note))))
      (cl-loop for each in rows for label in labels do
               (row label
                    (concat (ctx-status-mark (plist-get each :basis)) (ctx-status-number (plist-get each :tokens)))
                    (if (eq (plist-get each :deferred) t)
                        "loaded on demand, not counted"
                      (make-string (ctx-status--cells (plist-get each :bar) ctx-status--row-cells) ?█))
                    nil))
      (row "used" (concat (plist-get (plist-get reading :display) :mark) (ctx-status-number (plist-get reading :used)))
           (if (equal (plist-get reading :low) (plist-get reading :high)) ""
             (format "%s to %s" (ctx-status-number (plist-get reading :low)) (ctx-status-number (plist-get reading :high))))
           'shadow)
      (when (plist-get reading :limit)
        (if (plist-get compaction :left)
            (progn
              (row "left" (ctx-status-number (max 0 (plist-get compaction :left))) "until it compacts" 'shadow)
              (row "held back" (ctx-status-number (plist-get compaction :buffer)) "" 'shadow))
          (row "free" (ctx-status-number (plist-get reading :free)) "" 'shadow))
        (row "window" (ctx-status-number (plist-get reading :limit)) "" 'shadow)))))

(defun ctx-status--list (title things line)
  "Insert the section TITLE with THINGS, each by the function LINE."
  (when (> (length things) 0)
    (ctx-status--heading title)
    (seq-do (lambda (thing) (insert "  " (funcall line thing) "\n")) things)))

(defun ctx-status--draw (reading)
  "Draw READING in the current buffer."
  (let ((inhibit-read-only t) (line (line-number-at-pos)) (column (current-column)))
    (erase-buffer)
    (ctx-status--summary reading)
    (ctx-status--compaction reading)
    (ctx-status--breakdown reading)
    (ctx-status--list "Largest in the conversation" (plist-get reading :largest)
                      (lambda (item)
                        (format "%10s  %s%s"
                                (concat (ctx-status-mark (plist-get item :basis)) (ctx-status-number (plist-get item :tokens)))
                                (ctx-status--plain (plist-get item :label))
                                (if (> (plist-get item :times) 1) (format " ×%d" (plist-get item :times)) ""))))
    (ctx-status--list "MCP servers" (plist-get reading :mcpServers)
                      (lambda (server) (ctx-status--plain (plist-get server :text))))
    (ctx-status--list "You can remove" (plist-get reading :advice)
                      (lambda (advice)
                        (format "%10s  %s%s%s%s"
                                (concat (ctx-status-mark (plist-get advice :basis)) (ctx-status-number (plist-get advice :tokens)))
                                (ctx-status--plain (plist-get advice :label))
                                (if (string-empty-p (plist-get advice :how)) "" (concat ": " (plist-get advice :how)))
                                (if (eq (plist-get advice :atMost) t) " · frees at most this" "")
                                (if (eq (plist-get advice :breaksCache) t) " · breaks the cache" ""))))
    (ctx-status--list "Sub-agents" (plist-get reading :children)
                      (lambda (child)
                        (let ((display (plist-get child :display)))
                          (format "%s%-5s %s" (plist-get display :mark) (plist-get display :percent)
                                  (ctx-status--plain (plist-get child :label))))))
    (ctx-status--list "Warnings" (plist-get reading :warnings) #'ctx-status--plain)
    (goto-char (point-min))
    (forward-line (1- line))
    (move-to-column column)))

(defun ctx-status--follow (reading)
  "Redraw READING in the buffers that show its session."
  (let ((buffer (get-buffer ctx-status--buffer)))
    (when (and buffer (equal (plist-get reading :session) (buffer-local-value 'ctx-status--session buffer)))
      (with-current-buffer buffer
        (ctx-status--draw reading)))))

(define-derived-mode ctx-status-mode special-mode "Ctx"
  "The content of a session's context window.
The buffer follows the session."
  (setq-local revert-buffer-function
              (lambda (&rest _)
                (ctx-status--draw (or (ctx-readings-get ctx-status--session)
                                      (user-error "The session was closed"))))))

;;;###autoload
(defun ctx-status (&optional session)
  "Show the content of the context window of SESSION or the current session."
  (interactive)
  (let ((reading (if session (ctx-readings-get session) (ctx-readings-current))))
    (unless reading
      (user-error "%s" (or ctx-server-problem
                           (if (ctx-server-ready-p)
                               "No agent was active here in the last 24 hours; M-x ctx-sessions lists all sessions"
                             "The server is not running; start it with M-x ctx-mode"))))
    (add-hook 'ctx-readings-changed-functions #'ctx-status--follow)
    (with-current-buffer (get-buffer-create ctx-status--buffer)
      (ctx-status-mode)
      (setq ctx-status--session (plist-get reading :session)
            ctx-readings--session ctx-status--session)
      (ctx-status--draw reading)
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

(provide 'ctx-status)
;;; ctx-status.el ends here
