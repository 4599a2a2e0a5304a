// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// maxBody is the maximum number of bytes read of a request.
const maxBody = 16 << 20

// standIn is a server that replaces an agent's provider. It keeps the first request with tools, which is the one to
// measure, and responds to every request with one word, so that the agent continues.
type standIn struct {
	url  string
	main chan []byte
}

func listen() (*standIn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &standIn{"http://" + l.Addr().String(), make(chan []byte, 1)}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }() // until the process ends
	return s, nil
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q, err := readRequest(body); err == nil && len(q.tools) > 0 {
		select {
		case s.main <- body:
		default:
		}
	}
	answer := answerOf(r.URL.Path)
	if strings.Contains(string(body), `"stream":true`) || strings.Contains(r.URL.Path, "stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", answer)
		if strings.HasSuffix(r.URL.Path, "/completions") {
			fmt.Fprint(w, "data: [DONE]\n\n")
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, answer)
}

// answerOf returns a short response in the format of the provider that serves the path.
func answerOf(path string) string {
	if strings.Contains(path, "enerateContent") {
		return `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"{\"model_choice\":\"pro\"}"}]}}],` +
			`"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`
	}
	const message = `{"role":"assistant","content":"Good."}`
	return `{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":` + message +
		`,"delta":` + message + `}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
}
