/**
 * Answers queries without allocating, locking or logging.
 *
 * <p>Start with {@link io.ballast.dns.answer.Answerer}: it parses a query, finds the name in an
 * {@link io.ballast.dns.answer.data.AnswerTable} and copies an {@link io.ballast.dns.answer.data.Answer} in compiled
 * wire format. {@link io.ballast.dns.answer.data.PublishedAnswers} holds the current table. Package {@code zone} builds
 * the tables.
 *
 * <p>Most names are stored in {@link io.ballast.dns.answer.data.StoredNames}, a few large arrays;
 * {@link io.ballast.dns.answer.data.NameAnswers} are objects for names that have more than plain records.
 */
@NullMarked
package io.ballast.dns.answer;

import org.jspecify.annotations.NullMarked;
