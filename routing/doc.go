// Package routing says whose question a stop is: its channel, and who may answer it and why not. It is pure: values and
// a time in, a decision with its reason out.
package routing
