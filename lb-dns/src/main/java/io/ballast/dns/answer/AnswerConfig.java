package io.ballast.dns.answer;

/**
 * What queries are answered by: the answers of one configuration, and its settings. Compared by identity.
 *
 * <p>Thread safety: shared by all answering threads; what it holds stays the same, while the answers follow health.
 */
public final class AnswerConfig {

    private final PublishedAnswers answers;
    private final AnswerSettings settings;

    public AnswerConfig(PublishedAnswers answers, AnswerSettings settings) {
        this.answers = answers;
        this.settings = settings;
    }

    public PublishedAnswers answers() {
        return answers;
    }

    public AnswerSettings settings() {
        return settings;
    }
}
