// Package loops is what the author of an agent loop imports: the stop record and its check, verdicts, the signed
// outcome, and the client that raises a stop, waits for its outcome and claims it.
//
// # Stopping for a verdict
//
// A loop that needs a verdict writes a stop record (JSON, whose bytes are kept as they are), saves its own context, and
// raises the record. [Client.Raise] checks it first and names every fault at once. The same id with the same bytes is the
// same stop however often it is raised, so a loop that does not know whether it has raised it raises it again.
//
// [Client.Wait] returns the outcome: signed by the bot, verified with your keys, and bound to exactly these bytes. It waits as
// long as its context lets it. Redis may restart meanwhile and messages may be lost: it looks at the keys after it has subscribed,
// after every reconnect, every half minute, and before it gives up; and it raises again what Redis lost. A hundred thousand waits of one
// client share one connection.
//
// [Client.Claim] makes sure that one instance of the loop goes on. Hold the claim while you do what the verdict says, stop if
// [Claim.Lapsed] is closed, and call [Claim.Done] when it is saved. Another instance is told who has it and since when.
//
// # A wait that outlives the process
//
// [Client.Suspend] stores the loop's own context, sealed with a key that only loops have, and then raises. After a restart, on
// this machine or another, [Client.Suspended] lists what a loop has suspended, and [Client.Resume] goes on with it: it waits,
// claims, opens the context, and says that the loop went on. Where the context was changed, or is that of another stop, it is
// an error and the loop stays suspended. [Client.Start] takes a whole loop for this process, with the state that it saved last.
// A loop with a harness of its own that decides calls one by one has the rules in [Settle].
//
// # What may come back
//
// An outcome whose End is Answered has a verdict for every question; nothing but an explicit accept is consent. Withdrawn and
// Expired have none: nobody decided. Errors tell the rest: *[FaultsError] and *[RefusedError] (mend the record), *[TakenError]
// (choose another id), *[VerifyError] and *[UnknownKeyError] (do not believe it; nothing has changed), *[ClaimedError]
// (somebody else goes on with it), *[ContextError] (what was kept is not what it was), [ErrNoContext], [ErrLapsed], [ErrNoBot],
// [ErrUnknown].
//
// No error of this package is a verdict. A loop that meets one is still stopped.
package loops
