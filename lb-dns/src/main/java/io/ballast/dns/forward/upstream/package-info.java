/**
 * The transport to resolvers: {@link io.ballast.dns.forward.upstream.Upstreams} sends one question to one server, an
 * {@link io.ballast.dns.forward.upstream.Attempt}, over sockets that it keeps open. The caller selects servers, handles
 * failures and processes answers.
 *
 * <p>A response is accepted only if it comes from the server's address to the socket of the query, with the same id and
 * question, byte by byte. Ids, letter case and sockets are random and cannot be predicted from earlier queries.
 */
@NullMarked
package io.ballast.dns.forward.upstream;

import org.jspecify.annotations.NullMarked;
