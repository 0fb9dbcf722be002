package io.ballast.dns.answer;

import io.ballast.dns.forward.ForwardSettings;
import io.ballast.dns.forward.question.Question;

/**
 * A question for a name that is rewritten to another one. Immutable.
 *
 * @param asked by which its answer is kept
 * @param target what is asked of resolvers instead
 * @param ttlSeconds of the CNAME record between them
 * @param settings by which its answer is read and kept
 */
record AliasedQuestion(Question asked, Question target, int ttlSeconds, ForwardSettings settings) {}
