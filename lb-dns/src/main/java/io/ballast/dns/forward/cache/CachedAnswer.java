package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for a question.
 *
 * @param question for all networks
 * @param scope for whom the answer is; null where networks make no difference
 */
public record CachedAnswer(Question question, @Nullable AnswerScope scope, KeptAnswer answer) {}
