package io.ballast.dns.answer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answers that one name has, by type. A name without any exists all the same: there are names below it.
 *
 * <p>Thread safety: immutable. Cost: linear in the types of one name, which are few.
 */
public final class NameAnswers {

    public static final NameAnswers NONE = new NameAnswers(new int[0], new Answer[0]);

    private final int[] types;
    private final Answer[] answers;

    private NameAnswers(int[] types, Answer[] answers) {
        this.types = types;
        this.answers = answers;
    }

    @Nullable Answer of(int type) {
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                return answers[i];
            }
        }
        return null;
    }

    /** These answers and one more, which replaces that of the same type. */
    public NameAnswers with(int type, Answer answer) {
        int place = 0;
        while (place < types.length && types[place] != type) {
            place++;
        }
        int[] nextTypes = Arrays.copyOf(types, Math.max(types.length, place + 1));
        Answer[] nextAnswers = Arrays.copyOf(answers, nextTypes.length);
        nextTypes[place] = type;
        nextAnswers[place] = answer;
        return new NameAnswers(nextTypes, nextAnswers);
    }
}
