;;; ctx-recorded.el --- recorded sessions for the tests of ctx  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Recorded sessions enter a home that a server watches through this file.  Emacs lists a session as an earlier one
;; after a day, so a recording with its own dates would pass for a day and fail from then on.

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(defconst ctx-recorded-ahead (* 86400 (string-to-number (or (getenv "CTX_TEST_DAYS_AHEAD") "0")))
  "How many seconds the server's clock is ahead of the system's.")

(defconst ctx-recorded-recent (* 12 3600)
  "How old the newest record of a session may be that did not enter here.")

;; A server whose clock is ahead has an Emacs whose clock is.
(unless (zerop ctx-recorded-ahead)
  (advice-add 'float-time :around
              (lambda (float-time &optional at)
                (if at (funcall float-time at) (+ (funcall float-time) ctx-recorded-ahead)))))

(defun ctx-recorded-now ()
  "Return the time of the server's clock in seconds."
  (floor (float-time)))

(defun ctx-recorded--future-p (position)
  "Report whether a date at POSITION is in the future by its name."
  (save-match-data
    (let ((case-fold-search t))
      (string-match-p "\\(?:reset\\|expir\\|until\\)[[:alnum:]_]*[\"']?\\s-*[:=,]\\s-*[\"']?\\'"
                      (buffer-substring (max (point-min) (- position 40)) position)))))

(defun ctx-recorded--written (of)
  "Replace the dates of the buffer in ISO 8601, also in names of files, by OF."
  (goto-char (point-min))
  (while (re-search-forward "20[2-9][0-9]\\([-/]\\)[0-9][0-9][-/][0-9][0-9]" nil t)
    (let* ((begin (match-beginning 0))
           (between (match-string 1))
           (day (replace-regexp-in-string "/" "-" (match-string 0)))
           (time (when (looking-at "\\([T ]\\)\\([0-9][0-9]\\)\\([:-]\\)\\([0-9][0-9]\\)")
                   (list (match-string 1) (match-string 2) (match-string 3) (match-string 4))))
           (seconds nil) (east 0))
      (when time
        (goto-char (match-end 0))
        (let ((case-fold-search nil))
          (when (and (looking-at (concat (nth 2 time) "\\([0-9][0-9]\\)"))
                     (not (save-match-data
                            (string-match-p "\\`[0-9A-Ya-z]"
                                            (buffer-substring (match-end 0) (min (point-max) (1+ (match-end 0))))))))
            (setq seconds (match-string 1))
            (goto-char (match-end 0))))
        (when (looking-at "\\.?[0-9]*\\([+-]\\)\\([0-9][0-9]\\):\\([0-9][0-9]\\)")
          (setq east (* (if (equal "-" (match-string 1)) -60 60)
                        (+ (* 60 (string-to-number (match-string 2))) (string-to-number (match-string 3)))))))
      (when (or time (= begin (point-min)) (not (string-match-p "[[:alnum:]_-]" (string (char-before begin)))))
        (let* ((at (floor (float-time
                           (date-to-time (format "%sT%s:%s:%sZ" day (or (nth 1 time) "00") (or (nth 3 time) "00")
                                                 (or seconds "00"))))))
               (to (+ east (funcall of (- at east) (ctx-recorded--future-p begin) (not time))))
               (form (concat "%Y" between "%m" between "%d"
                             (and time (concat (nth 0 time) "%H" (nth 2 time) "%M"))
                             (and seconds (concat (nth 2 time) "%S"))))
               (end (point)))
          (delete-region begin end)
          (insert (format-time-string form to t)))))))

(defun ctx-recorded--counted (of)
  "Replace seconds, milliseconds, micro- and nanoseconds since 1970 by OF."
  (goto-char (point-min))
  (while (re-search-forward "\\_<1[6-9][0-9]\\{8,17\\}\\_>" nil t)
    (let ((begin (match-beginning 0)) (number (match-string 0)))
      (when (and (memq (length number) '(10 13 16 19))
                 (not (memq (char-before begin) '(?. ?_))))
        (delete-region begin (point))
        (insert (format "%d%s" (funcall of (string-to-number (substring number 0 10))
                                    (ctx-recorded--future-p begin) nil)
                        (substring number 10)))))))

(defun ctx-recorded--each (text of)
  "Return TEXT with each date replaced by the result of OF.
OF is called with the seconds since 1970, whether the date is in the
future by its name, and whether it is a day alone, at its midnight."
  (with-temp-buffer
    (modify-syntax-entry ?- ".")
    (modify-syntax-entry ?. ".")
    (insert text)
    (ctx-recorded--written of)
    (ctx-recorded--counted of)
    (buffer-string)))

(defun ctx-recorded-newest (text)
  "Return the newest date of TEXT in seconds, or nil."
  (let (newest)
    (ctx-recorded--each text (lambda (at future _)
                               (unless future (setq newest (max at (or newest at))))
                               at))
    newest))

(defun ctx-recorded-moved (text ago)
  "Return TEXT with its dates moved so that its newest record is AGO seconds old."
  (let* ((newest (or (ctx-recorded-newest text) (error "The recording has no date")))
         (by (- (ctx-recorded-now) ago newest)))
    ;; A day alone is moved like the newest record, so that a folder stays that of its day.
    (ctx-recorded--each text (lambda (at _ day) (+ at by (if day (mod newest 86400) 0))))))

(defun ctx-recorded--list ()
  "Return the file with the names of files that entered on purpose."
  (expand-file-name "../recorded" "~"))

(defun ctx-recorded-place (file text &optional ago)
  "Write TEXT to FILE, its dates moved so that its newest record is AGO seconds old.
AGO is a minute by default.  The file has that age, too."
  (let ((ago (or ago 60)))
    (make-directory (file-name-directory file) t)
    (write-region (ctx-recorded-moved text ago) nil file nil 'silent)
    ;; By the system's own clock: the server moves the times of files itself.
    (set-file-times file (time-subtract nil ago))
    (write-region (concat (file-truename file) "\n") nil (ctx-recorded--list) t 'silent)))

(defun ctx-recorded-refuse (folder)
  "Signal an error if a session below FOLDER did not enter by `ctx-recorded-place'."
  (let ((entered (and (file-exists-p (ctx-recorded--list))
                      (with-temp-buffer
                        (insert-file-contents (ctx-recorded--list))
                        (split-string (buffer-string) "\n" t)))))
    (dolist (file (and (file-directory-p folder) (directory-files-recursively folder "\\.jsonl?\\'")))
      (unless (member (file-truename file) entered)
        (let ((newest (ctx-recorded-newest (with-temp-buffer (insert-file-contents file) (buffer-string)))))
          (when (and newest (> (- (ctx-recorded-now) newest) ctx-recorded-recent))
            (error "%s has no record after %s: a recorded session enters by `ctx-recorded-place', which moves its dates"
                   file (format-time-string "%FT%TZ" newest t))))))))

(provide 'ctx-recorded)
;;; ctx-recorded.el ends here
