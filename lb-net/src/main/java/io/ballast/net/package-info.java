/**
 * What every frontend needs of Netty, once. Knows addresses, sockets and event loops, but neither HTTP nor DNS.
 *
 * <ul>
 *   <li>{@link io.ballast.net.loop}: event loops and their sign of life;
 *   <li>{@link io.ballast.net.timer}: deadlines;
 *   <li>{@link io.ballast.net.listen}: listening sockets, and what they do when descriptors run out.
 * </ul>
 */
@NullMarked
package io.ballast.net;

import org.jspecify.annotations.NullMarked;
