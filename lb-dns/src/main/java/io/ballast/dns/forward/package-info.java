/**
 * The forwarder: queries for names outside the zones are sent to resolvers, which are ordinary pools, and the answers
 * are cached. A cache hit is answered on the thread that received the query; all other queries are deferred to an event
 * loop ({@link io.ballast.dns.forward.ReplyPath}).
 */
@NullMarked
package io.ballast.dns.forward;

import org.jspecify.annotations.NullMarked;
