/**
 * Questions about names outside the zones: they go to upstream resolvers, which are pools like any other, and their answers are
 * kept. A kept answer is given on the thread that received the query; everything else is a deferred query, which an event loop
 * takes over ({@link io.ballast.dns.forward.ReplyPath}).
 */
@NullMarked
package io.ballast.dns.forward;

import org.jspecify.annotations.NullMarked;
