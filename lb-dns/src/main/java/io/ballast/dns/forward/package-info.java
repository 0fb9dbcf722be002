/**
 * The forwarder. It sends queries for names outside the zones to resolvers, which are ordinary pools, and
 * caches the answers. A cache hit is answered on the thread that received the query. All other queries are
 * deferred to an event loop ({@link io.ballast.dns.forward.ReplyPath}).
 */
@NullMarked
package io.ballast.dns.forward;

import org.jspecify.annotations.NullMarked;
