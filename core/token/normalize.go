package token

// Normalizers are the names that a pack may give for what is done to text before it is split.
var Normalizers = []string{""}

func knownNormalizer(name string) bool {
	for _, n := range Normalizers {
		if n == name {
			return true
		}
	}
	return false
}
