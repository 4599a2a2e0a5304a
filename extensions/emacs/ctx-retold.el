;;; ctx-retold.el --- handover notes, past compactions and size checks  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ctx-handover', `ctx-forgot' and `ctx-fits': notes and lists that the server writes from a transcript, and a check
;; whether a text fits.

;;; Code:

(require 'subr-x)
(require 'ctx-readings)
(require 'ctx-status)

(defconst ctx-retold--states
  '(("kept" . "kept") ("inSummary" . "in the summary") ("gone" . "dropped") ("unknown" . "unknown"))
  "The states of items that were in a window before a compaction.")

(defun ctx-retold--session ()
  "Return the current session."
  (or (plist-get (ctx-readings-current) :session)
      (user-error "No agent was active here in the last 24 hours; M-x ctx-sessions lists all sessions")))

(defun ctx-retold--open (name text)
  "Show TEXT in a buffer with NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (if (fboundp 'markdown-view-mode) (funcall 'markdown-view-mode) (view-mode))
    (pop-to-buffer (current-buffer))))

;;;###autoload
(defun ctx-handover (&optional tokens)
  "Write a handover note for the current session.
It has at most TOKENS, the prefix argument, by default 2,000."
  (interactive "P")
  (ctx-server-request
   :ctx/handover (append (list :id (ctx-retold--session))
                         (when tokens (list :tokens (prefix-numeric-value tokens))))
   (lambda (note)
     (ctx-retold--open "*ctx handover*" (plist-get note :text)))))

(defun ctx-retold--named (item)
  "Return the name of ITEM, with the beginning of its text if it is a message."
  (let ((excerpt (plist-get item :excerpt)))
    (concat (ctx-status--plain (plist-get item :label))
            (if (string-empty-p excerpt) "" (concat ": " (ctx-status--plain excerpt))))))

;;;###autoload
(defun ctx-forgot ()
  "Show what the last compaction kept, mentioned in its summary, and dropped."
  (interactive)
  (ctx-server-request
   :ctx/forgot (list :id (ctx-retold--session))
   (lambda (answer)
     (ctx-retold--open
      "*ctx forgot*"
      (concat
       (format "Compaction %d of %d: %s\n" (plist-get answer :compaction) (plist-get answer :compactions)
               (plist-get answer :text))
       (mapconcat
        (lambda (thing)
          (format "\n%9s  %s%s"
                  (ctx-status-number (plist-get thing :tokens))
                  (ctx-retold--named thing)
                  (if (> (plist-get thing :items) 1) (format " ×%d" (plist-get thing :items)) "")))
        (plist-get answer :largest) "")
       (let ((more (plist-get answer :more)))
         (if (zerop (plist-get more :items)) ""
           (format "\n%9s  and %d more" (ctx-status-number (plist-get more :tokens)) (plist-get more :items))))
       "\n\nAll items:\n\n"
       (mapconcat
        (lambda (item)
          (format "%-14s %9s  %s"
                  (or (cdr (assoc (plist-get item :state) ctx-retold--states)) (plist-get item :state))
                  (ctx-status-number (plist-get item :tokens))
                  (ctx-retold--named item)))
        (plist-get answer :items) "\n")
       (if (eq (plist-get answer :summaryTells) t)
           (concat "\n\nSummary:\n\n" (plist-get answer :summary) "\n")
         "\n\nThe agent does not record its summary.\n"))))))

;;;###autoload
(defun ctx-fits (start end)
  "Show whether the text between START and END would fit into the session.
Without a region, check the whole buffer."
  (interactive (if (use-region-p) (list (region-beginning) (region-end)) (list (point-min) (point-max))))
  (ctx-server-request
   :ctx/session/fits
   (list :id (ctx-retold--session)
         :parts (vector (list :label (buffer-name) :text (buffer-substring-no-properties start end))))
   (lambda (answer)
     (message "%s" (plist-get answer :text)))))

(provide 'ctx-retold)
;;; ctx-retold.el ends here
