;;; ctx-readings.el --- the readings of ctx and the session of each buffer  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Stores the readings that the server sends, by session, and requests the session of the current buffer.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'ctx-server)

(defcustom ctx-format
  "ctx {mark}[{percent}|{used}][{?over} · {hint}| · {left} to compact][{?idle} · idle|{?ended} · ended]"
  "Template of the text in the mode line.
The documentation of ctx-lsp, docs/protocol.md, lists its fields."
  :type 'string
  :group 'ctx)

(defface ctx-soon '((t :inherit warning))
  "A session that will be compacted soon."
  :group 'ctx)

(defface ctx-now '((t :inherit error))
  "A session that is about to be compacted."
  :group 'ctx)

(defface ctx-quiet '((t :inherit shadow))
  "An inactive session."
  :group 'ctx)

(defconst ctx-readings--calm 0.05
  "Seconds to wait for further changes before a request to the server.")

(defvar ctx-readings-changed-functions nil
  "Functions to call with every new reading.")

(defvar ctx-readings-shown-functions nil
  "Functions to call with the session that a buffer starts to show.")

(defvar ctx-readings--by-session (make-hash-table :test 'equal)
  "The readings, by session.")

(defvar ctx-readings--held nil
  "The session that the user has chosen, or nil to follow the current buffer.")

(defvar ctx-readings--about nil
  "The buffer of the last request to the server.")

(defvar ctx-readings--due nil
  "The timer of the next request.")

(defvar-local ctx-readings--session nil
  "The session of this buffer.")
(put 'ctx-readings--session 'permanent-local t) ; also when the buffer is reverted

(defun ctx-readings-get (session)
  "Return the reading of SESSION, or nil."
  (and session (gethash session ctx-readings--by-session)))

(defun ctx-readings-current ()
  "Return the reading of the current buffer's session, or nil."
  (ctx-readings-get (or ctx-readings--held ctx-readings--session)))

(defun ctx-readings-face (reading)
  "Return the face for READING, or nil."
  (if (member (plist-get reading :activity) '("idle" "ended"))
      'ctx-quiet ; an inactive session never signals an alarm
    (pcase (plist-get (plist-get reading :compaction) :level)
      ("soon" 'ctx-soon)
      ((or "now" "over") 'ctx-now))))

(defun ctx-readings-past (reading)
  "Return what the agent of READING does past its threshold.
Some agents do not compact inside a turn."
  (let ((hint (plist-get (plist-get reading :compaction) :hint)))
    (if (member (plist-get hint :id) '("compactsAtPrompt" "compactsAfter"))
        (plist-get hint :text)
      "compacts now")))

(defun ctx-readings-age (at)
  "Return how long ago AT was, in milliseconds since 1970, or nil."
  (when (numberp at)
    (let ((minutes (max 1 (floor (- (float-time) (/ at 1000.0)) 60))))
      (cond ((< minutes 60) (format "%d min" minutes))
            ((< minutes 2880) (format "%d h" (/ minutes 60)))
            (t (format "%d d" (/ minutes 1440)))))))

;; The prompt cache of a session.  The reading has the times; the clock is this editor's.

(defun ctx-readings-now ()
  "Return the time in milliseconds since 1970."
  (floor (* 1000 (float-time))))

(defun ctx-readings-warmth (back)
  "Return the state of the prompt cache of BACK now: warm, perhaps or cold.
A clock that shows a time before the last request is wrong, so the
state is then uncertain."
  (let* ((now (ctx-readings-now))
         (left (- (plist-get back :warmUntil) now)))
    (cond ((>= now (plist-get back :coldFrom)) 'cold)
          ((or (< left 0) (> left (plist-get back :life))) 'perhaps)
          (t 'warm))))

(defun ctx-readings--minutes (back)
  "Return how many minutes the warm cache of BACK stays warm, rounded up."
  (format "%d min" (1+ (floor (- (plist-get back :warmUntil) (ctx-readings-now)) 60000))))

(defun ctx-readings-soon (reading)
  "Return the text about the prompt cache of READING for the mode line.
It is empty before the last fifth of the cache's lifetime, while the
agent works, and if something else than time has made the cache cold."
  (let ((back (plist-get (plist-get reading :cache) :back)))
    (if (or (not (consp back)) (not (equal (plist-get back :cause) "time"))
            (equal (plist-get reading :activity) "working")
            (< (ctx-readings-now) (plist-get back :warnFrom)))
        ""
      (pcase (ctx-readings-warmth back)
        ('warm (concat " · cold in " (ctx-readings--minutes back)))
        ('perhaps " · may be cold")
        (_ (concat " · cold: " (plist-get back :display)))))))

(defun ctx-readings-put (reading)
  "Keep READING, and draw it."
  (when (ctx-server-reading-p reading)
    (puthash (plist-get reading :session) reading ctx-readings--by-session)
    (run-hook-with-args 'ctx-readings-changed-functions reading)))

(defun ctx-readings-shown-p (session)
  "Return whether SESSION is visible in any buffer."
  (or (equal session ctx-readings--held)
      (cl-some (lambda (buffer) (equal session (buffer-local-value 'ctx-readings--session buffer))) (buffer-list))))

(defun ctx-readings--question (buffer)
  "Return what the server needs to find the session of BUFFER, or nil."
  (with-current-buffer buffer
    (unless (file-remote-p default-directory)
      (let ((process (get-buffer-process buffer)))
        (append (list :workspace (expand-file-name default-directory))
                (when buffer-file-name (list :file buffer-file-name))
                (when (and process (eq (process-type process) 'real) (process-tty-name process))
                  (list :terminalPid (process-id process))))))))

(defvar ctx-readings-searching nil
  "Whether the server is still searching for sessions.")

(defun ctx-readings--ask ()
  "Request the session of the current buffer."
  (setq ctx-readings--due nil)
  (let* ((buffer (window-buffer (selected-window)))
         (question (if ctx-readings--held (list :session ctx-readings--held) (ctx-readings--question buffer))))
    (cond
     ((or (minibufferp buffer) (not (ctx-server-ready-p))))
     ((null question) (with-current-buffer buffer (setq ctx-readings--session nil)))
     (t
      (setq ctx-readings--about buffer)
      (ctx-server-request
       :ctx/focus question
       (lambda (reading)
         (ctx-readings--focused buffer reading)))))))

(defun ctx-readings--focused (buffer reading)
  "Let BUFFER show the session of READING.
An agent elsewhere belongs to no buffer here."
  (when reading
    (ctx-readings-put reading))
  (let ((session (and reading (not (equal (plist-get (plist-get reading :focus) :reason) "elsewhere"))
                      (plist-get reading :session))))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (setq ctx-readings--session session)))
    (when session
      (run-hook-with-args 'ctx-readings-shown-functions session)))
  (force-mode-line-update t))

(defun ctx-readings--changed-focus (params)
  "Show the session in PARAMS, which the server has found in the meantime."
  (when (buffer-live-p ctx-readings--about)
    (ctx-readings--focused ctx-readings--about (plist-get params :reading))))

(defun ctx-readings--closed (params)
  "Forget the session in PARAMS."
  (remhash (plist-get params :session) ctx-readings--by-session)
  (force-mode-line-update t))

(defun ctx-readings-look (&rest _)
  "Schedule the request for the session of the current buffer."
  (unless ctx-readings--due
    (setq ctx-readings--due (run-with-timer ctx-readings--calm nil #'ctx-readings--ask))))

(defun ctx-readings-hold (session)
  "Show SESSION in every buffer; nil follows the current buffer again."
  (setq ctx-readings--held session)
  (ctx-readings-look))

(defun ctx-readings-watch ()
  "Let the server report every session on this machine.
An agent may work in a directory above the current one."
  (ctx-server-request
   :ctx/watch (list :openings t :lines (list :status (vector ctx-format) :agent ["{agent}"] :state ["{state}"]))
   (lambda (answer)
     (seq-do #'ctx-readings-put (plist-get answer :sessions))
     (setq ctx-readings-searching (eq (plist-get answer :searching) t))
     (ctx-readings-look)
     (force-mode-line-update t))))

(defun ctx-readings--searched (_params)
  "Note that the server has read the sessions that exist."
  (setq ctx-readings-searching nil)
  (force-mode-line-update t))

(defun ctx-readings-forget ()
  "Forget everything, because the server has ended."
  (setq ctx-readings-searching nil)
  (clrhash ctx-readings--by-session)
  (force-mode-line-update t))

(provide 'ctx-readings)
;;; ctx-readings.el ends here
