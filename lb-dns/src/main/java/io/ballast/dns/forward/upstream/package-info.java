/**
 * The way to upstream resolvers: {@link io.ballast.dns.forward.upstream.Upstreams} asks one server one question, an {@link
 * io.ballast.dns.forward.upstream.Attempt}, over sockets that it keeps. Which server is asked, what is done when it fails and
 * what becomes of the answer is for others to decide.
 *
 * <p>An answer is believed only if it comes from the server's address to the socket that asked, with the id and the question of
 * the query, octet by octet. Ids, letter case and sockets are drawn by a generator that answers do not betray.
 */
@NullMarked
package io.ballast.dns.forward.upstream;

import org.jspecify.annotations.NullMarked;
