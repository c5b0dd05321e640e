package journal

// From xnu's sys/fcntl.h; golang.org/x/sys does not name them.
const (
	ofdSet = 90
	ofdGet = 92
)
