/**
 * The compiled answers of all zones, and the sources that select among them for a query.
 *
 * <p>Start with {@link io.ballast.dns.answer.data.AnswerTable}.
 */
@NullMarked
package io.ballast.dns.answer.data;

import org.jspecify.annotations.NullMarked;
