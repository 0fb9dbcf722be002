/**
 * What every frontend needs of Netty, once. Knows addresses, sockets and event loops, but neither HTTP nor DNS.
 *
 * <ul>
 *   <li>{@link io.ballast.net.transport}: the system's interfaces to sockets;
 *   <li>{@link io.ballast.net.loop}: event loops and their sign of life;
 *   <li>{@link io.ballast.net.timer}: deadlines;
 *   <li>{@link io.ballast.net.listen}: listening sockets, and what they do when descriptors run out;
 *   <li>{@link io.ballast.net.takeover}: sockets that one process hands to the next;
 *   <li>{@link io.ballast.net.tls}: certificates and TLS contexts, replaced while they are in use;
 *   <li>{@link io.ballast.net.proxyprotocol}: what a proxy says about the client it speaks for;
 *   <li>{@link io.ballast.net.clientlimit}: how many connections a client may have;
 *   <li>{@link io.ballast.net.budget}: how much memory octets in transit may take.
 * </ul>
 */
@NullMarked
package io.ballast.net;

import org.jspecify.annotations.NullMarked;
