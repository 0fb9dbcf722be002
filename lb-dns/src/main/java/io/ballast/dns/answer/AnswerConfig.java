package io.ballast.dns.answer;

import org.jspecify.annotations.Nullable;

/**
 * What queries are answered by: the answers of one configuration, and its settings. Compared by identity.
 *
 * <p>Thread safety: shared by all answering threads; what it holds stays the same, while the answers follow health.
 */
public final class AnswerConfig {

    private final PublishedAnswers answers;
    private final AnswerSettings settings;
    private final @Nullable ElsewhereSource elsewhere;
    private final @Nullable ControlMessages control;

    /** One by which names outside the zones are refused. */
    public AnswerConfig(PublishedAnswers answers, AnswerSettings settings) {
        this(answers, settings, /* elsewhere= */ null);
    }

    /** @param elsewhere of what answers names outside the zones; null if they are refused */
    public AnswerConfig(PublishedAnswers answers, AnswerSettings settings, @Nullable ElsewhereSource elsewhere) {
        this(answers, settings, elsewhere, /* control= */ null);
    }

    /**
     * @param elsewhere likewise
     * @param control takes on what is more than a plain query; null if that is answered like any other
     */
    public AnswerConfig(
            PublishedAnswers answers,
            AnswerSettings settings,
            @Nullable ElsewhereSource elsewhere,
            @Nullable ControlMessages control) {
        this.answers = answers;
        this.settings = settings;
        this.elsewhere = elsewhere;
        this.control = control;
    }

    /** The same with other answers, and with what takes on other messages. */
    public AnswerConfig with(PublishedAnswers others, @Nullable ControlMessages messages) {
        return new AnswerConfig(others, settings, elsewhere, messages);
    }

    public PublishedAnswers answers() {
        return answers;
    }

    public AnswerSettings settings() {
        return settings;
    }

    /** Of what answers names outside the zones; null if they are refused. */
    @Nullable ElsewhereSource elsewhere() {
        return elsewhere;
    }

    /** Takes on what is more than a plain query; null if that is answered like any other. */
    @Nullable ControlMessages control() {
        return control;
    }
}
