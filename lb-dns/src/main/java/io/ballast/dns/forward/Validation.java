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
 * The validation of an answer. It runs on other threads than the event loops; missing keys are queried like other
 * questions, and the validation is then repeated, so that no thread waits for a key.
 *
 * <p>Event-loop confined, except for {@link #examine}.
 */
final class Validation {

    /** Limit of keys and digests that are queried for one answer, so that answers cannot cause excessive work. */
    private static final int MAX_QUESTIONS = 40;

    private final Forwarder forwarder;
    private final PendingQuery flight;
    private final Validator validator;
    private final ValidationChain evidence;
    private final List<Question> asked = new ArrayList<>();
    private boolean over;

    Validation(Forwarder forwarder, PendingQuery flight, Validator validator, byte[] message) {
        this.forwarder = forwarder;
        this.flight = flight;
        this.validator = validator;
        this.evidence = new ValidationChain(message);
    }

    void begin() {
        if (!forwarder.validations().run(this::examine)) {
            forwarder.count(DnsCounter.VALIDATION_DROPPED);
            end();
            flight.unexamined();
        }
    }

    /** On a thread of the pool. */
    private void examine() {
        long started = System.nanoTime();
        ValidationResult finding = validator.examine(evidence);
        long nanos = System.nanoTime() - started;
        forwarder.onLoop(() -> found(finding, nanos));
    }

    private void found(ValidationResult finding, long nanos) {
        forwarder.count(DnsCounter.VALIDATION_NANOS, nanos);
        if (over) {
            return;
        }
        forwarder.readClock();
        if (finding instanceof ValidationResult.Undecided) {
            fail();
        } else if (finding instanceof ValidationResult.Missing missing) {
            ask(missing);
        } else if (finding instanceof ValidationResult.Secure secure) {
            forwarder.count(DnsCounter.VALIDATED_SECURE);
            believe(secure.message(), Signatures.secure(secure.seconds()));
        } else if (finding instanceof ValidationResult.Insecure insecure) {
            forwarder.count(DnsCounter.VALIDATED_INSECURE);
            believe(insecure.message(), Signatures.INSECURE);
        } else if (finding instanceof ValidationResult.Bogus bogus) {
            forwarder.count(DnsCounter.VALIDATED_BOGUS);
            // Perhaps it is they that are wrong.
            asked.forEach(question -> forwarder.forgetAnswer(flight.settings(), question));
            end();
            int seconds = flight.settings().limits().failureSeconds();
            flight.bogus(CacheEntry.bogus(flight.question(), bogus.why(), seconds, forwarder.now()));
        }
    }

    private void believe(byte[] message, Signatures signatures) {
        CacheEntry answer = forwarder.readChecked(flight.settings(), flight.question(), message, signatures);
        end();
        if (answer == null) {
            flight.unexamined();
        } else {
            flight.validated(answer);
        }
    }

    private void ask(ValidationResult.Missing missing) {
        if (asked.size() >= MAX_QUESTIONS) {
            fail();
            return;
        }
        Question question = forwarder.question(
                missing.name(),
                missing.type(),
                Question.DNSSEC_OK | Question.CHECKING_DISABLED,
                flight.question().group());
        asked.add(question);
        forwarder.askNow(question, flight.upstream(), flight.settings(), new QueryWaiter() {
            @Override
            public void answered(CacheEntry answer, @Nullable Backend by) {
                if (answer.isFailure()) {
                    fail();
                } else {
                    known(question, answer);
                }
            }

            @Override
            public void stale(CacheEntry answer) {
                fail();
            }

            @Override
            public void failed() {
                fail();
            }
        });
    }

    private void known(Question question, CacheEntry answer) {
        if (!over) {
            evidence.add(forwarder.message(question, answer));
            begin();
        }
    }

    /** A key could not be had, or there was no time. */
    private void fail() {
        if (!over) {
            forwarder.count(DnsCounter.VALIDATION_FAILED);
            end();
            flight.unexamined();
        }
    }

    /** Cancels the validation. */
    void end() {
        over = true;
    }
}
