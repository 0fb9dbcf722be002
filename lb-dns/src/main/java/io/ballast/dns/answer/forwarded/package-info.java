/**
 * Answers for names outside the zones: the query is deferred to an event loop, which queries resolvers and sends the reply.
 */
@NullMarked
package io.ballast.dns.answer.forwarded;

import org.jspecify.annotations.NullMarked;
