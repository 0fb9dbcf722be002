package io.ballast.dns.answer;

import io.ballast.dns.forward.Forwarder;

/** An event loop that asks resolvers, and answers those who waited. */
public record ForwardLoop(Forwarder forwarder, LateAnswers late) {}
