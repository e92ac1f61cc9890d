//go:build !linux

package redistest

import "syscall"

// diesWithTest asks for nothing where the kernel has no such service: after a panic of the test the server stays.
func diesWithTest() *syscall.SysProcAttr { return nil }
