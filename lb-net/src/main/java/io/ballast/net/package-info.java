/**
 * Networking code on top of Netty that all frontends share. It handles addresses, sockets and event loops, but neither
 * HTTP nor DNS.
 *
 * <ul>
 *   <li>{@link io.ballast.net.transport}: the system's socket interfaces;
 *   <li>{@link io.ballast.net.loop}: event loops and their heartbeats;
 *   <li>{@link io.ballast.net.timer}: deadlines;
 *   <li>{@link io.ballast.net.listen}: listening sockets, also when descriptors run out;
 *   <li>{@link io.ballast.net.takeover}: sockets that one process hands to the next;
 *   <li>{@link io.ballast.net.tls}: certificates and TLS contexts, reloaded while they are in use;
 *   <li>{@link io.ballast.net.proxyprotocol}: the PROXY protocol;
 *   <li>{@link io.ballast.net.clientlimit}: connection limits per client;
 *   <li>{@link io.ballast.net.budget}: the memory limit for bytes in transit.
 * </ul>
 */
@NullMarked
package io.ballast.net;

import org.jspecify.annotations.NullMarked;
