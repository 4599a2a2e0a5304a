// Copyright The ctx-lsp authors. MIT licence.

package estimate

// An ImageRule is a provider's rule for the cost of images, pages, audio and video. The zero value means that it is
// unknown.
type ImageRule struct {
	kind       mediaKind
	first      int64 // tiles: base; patches: maximum number; otherwise maximum tokens of an image, or tokens of each
	second     int64 // tiles: cost of a tile; otherwise the longest side in pixels
	multiplier int64 // patches: tokens per thousand patches
}

type mediaKind uint8

const (
	mediaUnknown mediaKind = iota
	mediaAnthropic
	mediaTiles
	mediaPatches
	mediaGemini2
	mediaFixed
	mediaGemini3
)

// The known rules.
var (
	UnknownImages     = ImageRule{}
	AnthropicStandard = ImageRule{kind: mediaAnthropic, first: 1568, second: 1568} // before Claude 4.7
	AnthropicHighRes  = ImageRule{kind: mediaAnthropic, first: 4784, second: 2576} // Claude 4.7 and later
	Gemini2           = ImageRule{kind: mediaGemini2}                              // Gemini 2.x
	Gemini3           = ImageRule{kind: mediaGemini3, first: 1120}                 // Gemini 3 at its default resolution
	Ollama            = ImageRule{kind: mediaFixed, first: 768}
)

// OpenAITiles returns the rule of models that charge a base and a price for each tile of 512 pixels.
func OpenAITiles(base, tile int64) ImageRule {
	return ImageRule{kind: mediaTiles, first: base, second: tile}
}

// OpenAIPatches returns the rule of models that charge for patches of 32 pixels: at most budget patches, for an image
// with sides of at most side pixels (0: any), at multiplier thousandths of a token each.
func OpenAIPatches(budget, side, multiplier int64) ImageRule {
	return ImageRule{kind: mediaPatches, first: budget, second: side, multiplier: multiplier}
}

// maxSide limits the sizes that images may claim, so that no product overflows.
const maxSide = 1 << 20

// Tokens returns the cost of an image. known is true if the rule and the size are known, or if all sizes cost the same;
// otherwise tokens is the cost of a typical image.
func (r ImageRule) Tokens(width, height int64) (tokens int64, known bool) {
	switch r.kind {
	case mediaFixed, mediaGemini3:
		return r.first, true
	}
	known = width > 0 && height > 0 && width <= maxSide && height <= maxSide
	if !known {
		width, height = 1024, 1024
	}
	switch r.kind {
	case mediaAnthropic:
		return r.anthropic(width, height), known
	case mediaTiles:
		return r.tiles(width, height), known
	case mediaPatches:
		return r.patches(width, height), known
	case mediaGemini2:
		if width <= 384 && height <= 384 {
			return 258, known
		}
		return 258 * ceilDiv(width, 768) * ceilDiv(height, 768), known
	}
	return 1100, false
}

// anthropic counts patches of 28 pixels, after shrinking the image until its longer side and its patches are within the
// limits.
func (r ImageRule) anthropic(width, height int64) int64 {
	long, short := max(width, height), min(width, height)
	cost := func(side int64) int64 {
		return ceilDiv(side, 28) * ceilDiv(max(1, (short*side+long/2)/long), 28)
	}
	low, high := int64(1), min(long, r.second)
	for low < high { // the longest side that fits
		middle := (low + high + 1) / 2
		if cost(middle) <= r.first {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return cost(low)
}

// tiles shrinks the image to fit into 2048 pixels square and its shorter side to 768, and counts tiles of 512 pixels.
func (r ImageRule) tiles(width, height int64) int64 {
	width, height = fit(width, height, max(width, height), 2048)
	width, height = fit(width, height, min(width, height), 768)
	return r.first + r.second*ceilDiv(width, 512)*ceilDiv(height, 512)
}

// patches counts patches of 32 pixels, after shrinking the image until they fit the budget.
func (r ImageRule) patches(width, height int64) int64 {
	if r.second > 0 {
		width, height = fit(width, height, max(width, height), r.second)
	}
	n := ceilDiv(width, 32) * ceilDiv(height, 32)
	if n > r.first {
		// The factor is sqrt(32²·budget/(w·h)), here in units of 2^-18. Then the side that is cut into relatively fewer
		// whole patches decides.
		factor := int64(squareRoot(uint64(1024*r.first) << 36 / uint64(width*height)))
		across := max(1, width*factor>>18/32)
		down := max(1, height*factor>>18/32)
		if across*height <= down*width {
			down = ceilDiv(height*across, width)
		} else {
			across = ceilDiv(width*down, height)
		}
		n = min(across*down, r.first)
	}
	return (n*r.multiplier + 999) / 1000
}

// Pages returns the cost of a document with this many pages, sent as a file.
func (r ImageRule) Pages(pages int64) (tokens int64, known bool) {
	pages = max(0, min(pages, 1<<32))
	switch r.kind {
	case mediaAnthropic: // each page costs an image, and 1,500 to 3,000 tokens for its text
		return pages * (r.anthropic(1700, 2200) + 2250), false
	case mediaGemini2:
		return pages * 258, true
	case mediaGemini3:
		return pages * 560, true
	}
	return pages * 1500, false
}

// Audio returns the cost of this many seconds of audio.
func (r ImageRule) Audio(seconds int64) (tokens int64, known bool) {
	seconds = max(0, min(seconds, 1<<32))
	switch r.kind {
	case mediaGemini2, mediaGemini3:
		return seconds * 32, true
	case mediaTiles, mediaPatches:
		return seconds * 10, false
	}
	return seconds * 25, false
}

// Video returns the cost of this many seconds of video with sound, at one frame per second.
func (r ImageRule) Video(seconds int64) (tokens int64, known bool) {
	seconds = max(0, min(seconds, 1<<32))
	switch r.kind {
	case mediaGemini2:
		return seconds * 263, true
	case mediaGemini3:
		return seconds * (70 + 32), true
	}
	return seconds * 263, false
}

// fit shrinks an image until the given side is no longer than limit.
func fit(width, height, side, limit int64) (int64, int64) {
	if side <= limit {
		return width, height
	}
	return max(1, width*limit/side), max(1, height*limit/side)
}

// ceilDiv returns a/b, rounded up.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// squareRoot returns the square root of n, rounded down.
func squareRoot(n uint64) uint64 {
	var root uint64
	for bit := uint64(1) << 31; bit > 0; bit >>= 1 {
		if next := root | bit; next*next <= n {
			root = next
		}
	}
	return root
}
