package io.ballast.dns.forward.validate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * An answer that is being validated, and the known keys of the zones above its names.
 *
 * <p>It is an executor only because dnsjava passes the executor of a query to all dependent queries. The
 * executor therefore identifies the validation to which a query belongs.
 *
 * <p>Thread safety: only one thread at a time uses it; threads hand it over to each other.
 */
public final class ValidationChain implements Executor {

    private final byte[] answer;
    private final List<byte[]> newMessages = new ArrayList<>();
    private final Map<QuestionKey, Message> knownMessages = new ConcurrentHashMap<>();
    private volatile @Nullable Message currentMessage;
    private volatile @Nullable Record missingQuestion;
    private volatile Deadline deadline = new Deadline(0);

    private record QuestionKey(Name name, int type) {

        static QuestionKey of(Record question) {
            return new QuestionKey(question.getName(), question.getType());
        }
    }

    /** @param answer a resolver's message, whose format has been checked; not copied */
    public ValidationChain(byte[] answer) {
        this.answer = answer;
    }

    /**
     * Adds an answer to a question that {@link #find} recorded as missing.
     *
     * @param message an answer whose format has been checked; not copied
     */
    public void add(byte[] message) {
        newMessages.add(message);
    }

    /**
     * Returns a parsed copy of the answer.
     *
     * @param newDeadline deadline for the rest of the validation
     */
    Message parse(Deadline newDeadline) throws IOException {
        deadline = newDeadline;
        for (byte[] message : newMessages) {
            Message parsed = new Message(message);
            knownMessages.put(QuestionKey.of(parsed.getQuestion()), parsed);
        }
        newMessages.clear();
        return new Message(answer);
    }

    /** Sets the message to validate next, and clears the question that {@link #find} recorded as missing. */
    void setCurrentMessage(Message message) {
        currentMessage = message;
        missingQuestion = null;
    }

    /**
     * Returns the known answer to a question. If there is none, it records the question as missing and returns
     * null.
     */
    @Nullable Message find(Record question) {
        Message current = currentMessage;
        QuestionKey key = QuestionKey.of(question);
        if (current != null && key.equals(QuestionKey.of(current.getQuestion()))) {
            return TimedSignature.withDeadline(current, deadline);
        }
        Message found = knownMessages.get(key);
        if (found == null && missingQuestion == null) {
            missingQuestion = question;
        }
        return found == null ? null : TimedSignature.withDeadline(found, deadline);
    }

    /** Time limit of the validation. */
    Deadline deadline() {
        return deadline;
    }

    /** The first question that has no answer yet. */
    @Nullable Record missingQuestion() {
        return missingQuestion;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
