// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// A File is a file to download: its address, size and digest.
type File struct {
	Name    string
	Address string
	Size    int64
	SHA256  string // hexadecimal digits
}

// client uses the proxies of the environment, like http.DefaultTransport, and sends only the request.
var client = &http.Client{Timeout: 10 * time.Minute}

// Fetch downloads a file with a known SHA-256 into a directory and returns its content. It continues a download that
// was interrupted before. progress, if not nil, is called with the number of bytes of each part that has arrived.
func Fetch(ctx context.Context, file File, folder string, progress func(int64)) ([]byte, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, ".fetch-"+file.SHA256+".part")
	for {
		before, _ := os.Stat(path)
		content, err := rest(ctx, file, path, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; the downloaded part is kept, and the next attempt continues from there", file.Address, err)
		}
		sum := sha256.Sum256(content)
		if hex.EncodeToString(sum[:]) == file.SHA256 {
			return content, os.Remove(path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		if before == nil || before.Size() == 0 {
			return nil, fmt.Errorf("%s: this is not the expected file: its SHA-256 is %x, not %s; it was deleted", file.Address, sum, file.SHA256)
		}
		// The earlier part may belong to a different file, so download everything again.
	}
}

// rest downloads the missing bytes of a file and returns the whole file.
func rest(ctx context.Context, file File, path string, progress func(int64)) ([]byte, error) {
	part, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	have, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if have < file.Size {
		if err := download(ctx, file, part, have, progress); err != nil {
			return nil, err
		}
	}
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(part, file.Size+1))
}

// download appends the bytes after the first have bytes to a part, or starts over if the server sends the whole file.
func download(ctx context.Context, file File, part *os.File, have int64, progress func(int64)) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, file.Address, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := client.Do(request)
	if err != nil {
		return errors.Unwrap(err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusPartialContent && have > 0:
	case response.StatusCode == http.StatusOK:
		if have = 0; part.Truncate(0) != nil {
			return errors.New("the partial file of an earlier attempt cannot be emptied")
		}
		if _, err := part.Seek(0, io.SeekStart); err != nil {
			return err
		}
	default:
		return errors.New("the server responded " + response.Status)
	}
	counted := &counter{to: part, at: have, progress: progress}
	n, err := io.Copy(counted, io.LimitReader(response.Body, file.Size-have+1))
	switch {
	case err != nil:
		return err
	case have+n < file.Size:
		return fmt.Errorf("only %d of %d bytes arrived", have+n, file.Size)
	}
	return nil
}

// A counter reports the number of bytes written through it.
type counter struct {
	to       io.Writer
	at       int64
	progress func(int64)
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.at += int64(n)
	if c.progress != nil {
		c.progress(int64(n))
	}
	return n, err
}
