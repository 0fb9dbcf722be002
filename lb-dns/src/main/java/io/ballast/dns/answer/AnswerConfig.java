package io.ballast.dns.answer;

import io.ballast.dns.answer.data.PublishedAnswers;
import org.jspecify.annotations.Nullable;

/**
 * The answers and settings of one configuration. Compared by identity.
 *
 * <p>Thread safety: shared by all answering threads. The fields are immutable; the answers change with the health of
 * backends.
 */
public final class AnswerConfig {

    private final PublishedAnswers answers;
    private final AnswerSettings settings;
    private final @Nullable NonLocalResolverFactory nonLocalResolverFactory;
    private final @Nullable ControlMessages control;

    /** Creates a configuration that refuses names outside the zones. */
    public AnswerConfig(PublishedAnswers answers, AnswerSettings settings) {
        this(answers, settings, /* nonLocal= */ null);
    }

    /** @param nonLocal source of answers for names outside the zones; null if they are refused */
    public AnswerConfig(PublishedAnswers answers, AnswerSettings settings, @Nullable NonLocalResolverFactory nonLocal) {
        this(answers, settings, nonLocal, /* control= */ null);
    }

    /**
     * @param nonLocal source of answers for names outside the zones; null if they are refused
     * @param control handler of control messages; null if control messages are answered like other queries
     */
    public AnswerConfig(
            PublishedAnswers answers,
            AnswerSettings settings,
            @Nullable NonLocalResolverFactory nonLocal,
            @Nullable ControlMessages control) {
        this.answers = answers;
        this.settings = settings;
        this.nonLocalResolverFactory = nonLocal;
        this.control = control;
    }

    /** Returns a copy with these answers and this handler of control messages. */
    public AnswerConfig with(PublishedAnswers others, @Nullable ControlMessages messages) {
        return new AnswerConfig(others, settings, nonLocalResolverFactory, messages);
    }

    public PublishedAnswers answers() {
        return answers;
    }

    public AnswerSettings settings() {
        return settings;
    }

    /** Returns the source of answers for names outside the zones; null if such names are refused. */
    @Nullable NonLocalResolverFactory nonLocalResolverFactory() {
        return nonLocalResolverFactory;
    }

    /** Returns the handler of control messages; null if control messages are answered like other queries. */
    @Nullable ControlMessages control() {
        return control;
    }
}
