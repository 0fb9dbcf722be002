/**
 * Sockets: passes queries to an {@link io.ballast.dns.answer.Answerer} and sends its responses.
 *
 * <p>{@link io.ballast.dns.net.UdpServer} serves UDP on one address; the implementation on Netty processes
 * datagrams in batches. {@link io.ballast.dns.net.stream} serves connections. Both run on
 * {@link io.ballast.dns.net.AnswerLoop}s: each is an event loop with its own answerer and buffers, so that
 * threads exchange no data. Only a deferred answer, through a {@link io.ballast.dns.net.DeferredReply}, may
 * come from another thread.
 */
@NullMarked
package io.ballast.dns.net;

import org.jspecify.annotations.NullMarked;
