package issuedelivery_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The user of the tests has a home of their own, and so no configuration of git's but what a test says.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "delivery-home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": "", "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(home)
		os.Exit(code)
	}))
}
