package io.ballast.dns.answer.forwarded;

import io.ballast.dns.forward.Forwarder;

/** An event loop that queries resolvers and sends the deferred replies. */
public record ResolverLoop(Forwarder forwarder, DeferredReplies replies) {}
