/**
 * Answers queries for names outside the zones. Queries that the cache cannot answer are deferred to an event
 * loop, which queries resolvers and sends the reply.
 */
@NullMarked
package io.ballast.dns.answer.forwarded;

import org.jspecify.annotations.NullMarked;
