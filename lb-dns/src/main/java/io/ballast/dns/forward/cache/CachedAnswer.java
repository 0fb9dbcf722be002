package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import org.jspecify.annotations.Nullable;

/**
 * A cached answer with its question.
 *
 * @param question the question without a client network
 * @param scope the scope of the answer; null if it does not depend on client networks
 */
public record CachedAnswer(Question question, @Nullable AnswerScope scope, CacheEntry answer) {}
