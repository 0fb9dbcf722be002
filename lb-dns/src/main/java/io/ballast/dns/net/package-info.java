/**
 * Sockets: brings queries to an {@link io.ballast.dns.answer.Answerer} and its responses back.
 *
 * <p>{@link io.ballast.dns.net.UdpServer} is what serves UDP on one address, implemented with Netty in batches; {@link
 * io.ballast.dns.net.TcpServer} serves TCP on one address; both run on {@link io.ballast.dns.net.AnswerLoop}s, each an
 * event loop with an answerer and buffers of its own, so that nothing is handed between threads.
 */
@NullMarked
package io.ballast.dns.net;

import org.jspecify.annotations.NullMarked;
