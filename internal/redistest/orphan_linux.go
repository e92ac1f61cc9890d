package redistest

import "syscall"

// diesWithTest has the kernel kill the server when the test binary is killed or panics, where no Cleanup runs.
func diesWithTest() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
