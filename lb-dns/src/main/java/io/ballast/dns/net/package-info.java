/**
 * Sockets: brings queries to an {@link io.ballast.dns.answer.Answerer} and its responses back.
 *
 * <p>{@link io.ballast.dns.net.UdpServer} is what serves UDP on one address, implemented with Netty in batches; what
 * comes by connections is served by {@link io.ballast.dns.net.stream}; both run on
 * {@link io.ballast.dns.net.AnswerLoop}s, each an event loop with an answerer and buffers of its own, so that nothing
 * is handed between threads. Only an answer that comes later, through a {@link io.ballast.dns.net.DeferredReply}, may
 * be another thread's.
 */
@NullMarked
package io.ballast.dns.net;

import org.jspecify.annotations.NullMarked;
