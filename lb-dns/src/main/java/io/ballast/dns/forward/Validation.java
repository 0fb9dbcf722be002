package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.Signatures;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.validate.ValidationChain;
import io.ballast.dns.forward.validate.ValidationResult;
import io.ballast.dns.forward.validate.Validator;
import io.ballast.dns.stats.DnsCounter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The validation of an answer. It runs outside the event loops. Missing keys are queried like other
 * questions, and the validation is then repeated, so no thread waits for a key.
 *
 * <p>Event-loop confined, except for {@link #validate}.
 */
final class Validation {

    /**
     * Maximum number of keys and digests that are queried for one answer, so that answers cannot cause excessive
     * work.
     */
    private static final int MAX_QUESTIONS = 40;

    private final Forwarder forwarder;
    private final PendingQuery query;
    private final Validator validator;
    private final ValidationChain chain;
    private final List<Question> requestedKeys = new ArrayList<>();
    private boolean isEnded;

    Validation(Forwarder forwarder, PendingQuery query, Validator validator, byte[] message) {
        this.forwarder = forwarder;
        this.query = query;
        this.validator = validator;
        this.chain = new ValidationChain(message);
    }

    void start() {
        if (!forwarder.validationPool().submit(this::validate)) {
            forwarder.count(DnsCounter.VALIDATION_DROPPED);
            end();
            query.onValidationFailed();
        }
    }

    /** Validates the answer. Runs on a thread of the validation pool. */
    private void validate() {
        long startNanos = System.nanoTime();
        ValidationResult result = validator.validate(chain);
        long nanos = System.nanoTime() - startNanos;
        forwarder.executeOnLoop(() -> onResult(result, nanos));
    }

    private void onResult(ValidationResult result, long nanos) {
        forwarder.count(DnsCounter.VALIDATION_NANOS, nanos);
        if (isEnded) {
            return;
        }
        forwarder.readClock();
        if (result instanceof ValidationResult.Undecided) {
            fail();
        } else if (result instanceof ValidationResult.Missing missing) {
            queryMissing(missing);
        } else if (result instanceof ValidationResult.Secure secure) {
            forwarder.count(DnsCounter.VALIDATED_SECURE);
            accept(secure.message(), Signatures.secure(secure.validSeconds()));
        } else if (result instanceof ValidationResult.Insecure insecure) {
            forwarder.count(DnsCounter.VALIDATED_INSECURE);
            accept(insecure.message(), Signatures.INSECURE);
        } else if (result instanceof ValidationResult.Bogus bogus) {
            forwarder.count(DnsCounter.VALIDATED_BOGUS);
            // The cause may be wrong keys in the cache instead of the answer, so the cached keys are removed.
            requestedKeys.forEach(question -> forwarder.removeAnswer(query.settings(), question));
            end();
            int seconds = query.settings().limits().failureSeconds();
            query.bogus(CacheEntry.bogus(query.question(), bogus.reason(), seconds, forwarder.now()));
        }
    }

    private void accept(byte[] message, Signatures signatures) {
        CacheEntry answer = forwarder.parseValidated(query.settings(), query.question(), message, signatures);
        end();
        if (answer == null) {
            query.onValidationFailed();
        } else {
            query.onValidated(answer);
        }
    }

    private void queryMissing(ValidationResult.Missing missing) {
        if (requestedKeys.size() >= MAX_QUESTIONS) {
            fail();
            return;
        }
        Question question = forwarder.question(
                missing.name(),
                missing.type(),
                Question.DNSSEC_OK | Question.CHECKING_DISABLED,
                query.question().group());
        requestedKeys.add(question);
        forwarder.resolveNow(question, query.upstream(), query.settings(), new QueryWaiter() {
            @Override
            public void onAnswer(CacheEntry answer, @Nullable Backend by) {
                if (answer.isFailure()) {
                    fail();
                } else {
                    onKeyReceived(question, answer);
                }
            }

            @Override
            public void onStale(CacheEntry answer) {
                fail();
            }

            @Override
            public void onFailure() {
                fail();
            }
        });
    }

    private void onKeyReceived(Question question, CacheEntry answer) {
        if (!isEnded) {
            chain.add(forwarder.message(question, answer));
            start();
        }
    }

    /** Ends the validation without a result, because a key is not available or the time limit has expired. */
    private void fail() {
        if (!isEnded) {
            forwarder.count(DnsCounter.VALIDATION_FAILED);
            end();
            query.onValidationFailed();
        }
    }

    /** Cancels the validation. */
    void end() {
        isEnded = true;
    }
}
