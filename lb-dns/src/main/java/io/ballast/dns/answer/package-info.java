/**
 * From a query to a response, without allocating, locking or logging.
 *
 * <p>Start with {@link io.ballast.dns.answer.Answerer}: it parses a query, finds the name in an {@link
 * io.ballast.dns.answer.AnswerTable} and copies an {@link io.ballast.dns.answer.Answer}, compiled wire format. {@link
 * io.ballast.dns.answer.PublishedAnswers} holds the table in force. Tables are made elsewhere, in {@code zone}.
 *
 * <p>Most names stand in {@link io.ballast.dns.answer.StoredNames}, a few large arrays; {@link
 * io.ballast.dns.answer.NameAnswers} are objects for those names that are more than their records.
 */
@NullMarked
package io.ballast.dns.answer;

import org.jspecify.annotations.NullMarked;
