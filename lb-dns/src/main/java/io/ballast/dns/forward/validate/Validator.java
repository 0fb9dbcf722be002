package io.ballast.dns.forward.validate;

import io.ballast.core.ErrorText;
import io.ballast.dns.forward.validate.ValidationResult.Bogus;
import io.ballast.dns.forward.validate.ValidationResult.Insecure;
import io.ballast.dns.forward.validate.ValidationResult.Missing;
import io.ballast.dns.forward.validate.ValidationResult.Secure;
import io.ballast.dns.forward.validate.ValidationResult.Undecided;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.dnssec.ValidatingResolver;

/**
 * Validates resolver answers with dnsjava's validator, and caches validated keys and proofs of insecurity: at most
 * {@value #MAX_KEYS} zones, for {@value #KEY_SECONDS} s or their TTL if that is less.
 *
 * <p>An answer is secure only if dnsjava confirms it, and insecure only if dnsjava gives a reason. dnsjava also
 * returns answers without a result: after an exception, and if a denial proves nothing; these are validated once
 * more, record by record.
 *
 * <p>Thread safety: any thread may call it. Cost: some signatures, 0.1 ms each, and more while keys are fetched;
 * limits are {@value #MAX_SETS} record sets with at most 9 signatures each, {@value Denials#MAX_ITERATIONS}
 * iterations of NSEC3 hashes, and {@value #MAX_SECONDS} s in all. dnsjava validates denials on the JVM's common pool
 * or on threads of its own. There, a validation whose time is over ends before its next signature ({@link
 * TimedSignature}); while {@value #MAX_GIVEN_UP} of them are still running, no other is started.
 */
public final class Validator {

    static final int MAX_KEYS = 10_000;
    static final int KEY_SECONDS = 900;
    static final int MAX_SETS = 100;
    static final int MAX_SECONDS = 2;
    static final int MAX_GIVEN_UP = 8;

    /** The class of the record in which dnsjava returns the reason of a verdict. */
    private static final int REASON_CLASS = ValidatingResolver.VALIDATION_REASON_QCLASS;

    private final TrustAnchors anchors;
    private final Clock clock;
    private final ValidatingResolver resolver;
    private final Duration max;

    /** The number of validations that dnsjava continues although their time limit has passed. */
    private final AtomicInteger abandoned = new AtomicInteger();

    private volatile boolean replaced;

    private enum Status {
        SECURE,
        INSECURE,
        BOGUS,
        /** No result. */
        PASSED
    }

    /**
     * @param message the validated part of the answer; null if it is bogus
     * @param why the reason if it is bogus
     */
    private record Conclusion(Status status, @Nullable Message message, EdnsError why) {

        static Conclusion bogus(EdnsError why) {
            return new Conclusion(Status.BOGUS, /* message= */ null, why);
        }
    }

    /** Another validator takes effect: results of this one are not cached any more. */
    public void replaced() {
        replaced = true;
    }

    public boolean isReplaced() {
        return replaced;
    }

    /** @param clock by which signatures are valid */
    public Validator(TrustAnchors anchors, Clock clock) {
        this(anchors, clock, Duration.ofSeconds(MAX_SECONDS));
    }

    /** @param max time for an examination */
    Validator(TrustAnchors anchors, Clock clock, Duration max) {
        this.anchors = anchors;
        this.clock = clock;
        this.max = max;
        this.resolver = new ValidatingResolver(new ValidationChainResolver(), clock);
        try {
            resolver.init(bounds());
            resolver.loadTrustAnchors(anchors.stream());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "trust anchors: " + ErrorText.of(e) + " (expected: those read before)", e);
        }
    }

    private static Properties bounds() {
        Properties bounds = new Properties();
        bounds.setProperty("dnsjava.dnssec.keycache.max_size", Integer.toString(MAX_KEYS));
        bounds.setProperty("dnsjava.dnssec.keycache.max_ttl", Integer.toString(KEY_SECONDS));
        for (int bits : new int[] {1024, 2048, 4096}) {
            bounds.setProperty("dnsjava.dnssec.nsec3.iterations." + bits, Integer.toString(Denials.MAX_ITERATIONS));
        }
        return bounds;
    }

    /** Returns the trust anchors. */
    public TrustAnchors anchors() {
        return anchors;
    }

    /** Validates an answer with the known records. Does not block. */
    public ValidationResult examine(ValidationChain evidence) {
        if (abandoned.get() >= MAX_GIVEN_UP) {
            return new Undecided();
        }
        try {
            return examine(evidence, evidence.parse(Deadline.in(max.toNanos())));
        } catch (IOException e) {
            return new Bogus(EdnsError.DNSSEC_BOGUS); // of a form that cannot be checked
        } catch (OverdueException e) {
            return new Undecided();
        } catch (StackOverflowError | RuntimeException e) {
            return evidence.missing() == null ? new Bogus(EdnsError.DNSSEC_BOGUS) : missing(evidence);
        }
    }

    private ValidationResult examine(ValidationChain evidence, Message message) {
        int rcode = message.getRcode();
        if (anchors.isInsecure(message.getQuestion().getName())) {
            return new Insecure(message.toWire(Wire.MAX_MESSAGE_BYTES));
        }
        List<RRset> answers = message.getSectionRRsets(Section.ANSWER);
        List<RRset> authority = message.getSectionRRsets(Section.AUTHORITY);
        boolean isAnswer = rcode == Rcode.NOERROR || rcode == Rcode.NXDOMAIN;
        if (!isAnswer || answers.size() + authority.size() > MAX_SETS) {
            return new Bogus(EdnsError.DNSSEC_BOGUS);
        }
        if (answers.stream().anyMatch(set -> anchors.isInsecure(set.getName()))) {
            return examineEach(evidence, message, aliases(answers));
        }
        int type = message.getQuestion().getType();
        if ((type == Type.ANY || type == Type.RRSIG) && rcode == Rcode.NOERROR && !answers.isEmpty()) {
            return examineAll(evidence, message, answers);
        }
        Conclusion first = conclude(evidence, message);
        if (evidence.missing() != null) {
            return missing(evidence);
        }
        boolean passes =
                first.status() == Status.PASSED || (first.status() == Status.BOGUS && Denials.isCostly(message));
        if (passes && Denials.isWeak(message)) {
            return examineEach(
                    evidence,
                    message,
                    Stream.concat(answers.stream(), authority.stream()).toList());
        }
        Message left = first.message();
        if (left == null || first.status() == Status.PASSED) {
            EdnsError why =
                    first.why() == EdnsError.DNSSEC_BOGUS ? Denials.reason(message, clock.instant()) : first.why();
            return new Bogus(why);
        }
        boolean hasAliases = answers.stream().anyMatch(set -> set.getType() == Type.CNAME);
        if (first.status() == Status.INSECURE && hasAliases) {
            return examineBehind(evidence, message, answers);
        }
        byte[] wire = left.toWire(Wire.MAX_MESSAGE_BYTES);
        return first.status() == Status.SECURE
                ? new Secure(wire, Denials.seconds(left, clock.instant()))
                : new Insecure(wire);
    }

    /** Returns the aliases that lead to an insecure name. */
    private List<RRset> aliases(List<RRset> answers) {
        return answers.stream()
                .takeWhile(set -> !anchors.isInsecure(set.getName()))
                .toList();
    }

    /**
     * Examines all sets of an answer to a question for ANY or RRSIG one by one. The answer is secure if every set is.
     * Signatures without their records cannot be checked, since nothing signs signatures: the answer is then given
     * without AD.
     *
     * <p>dnsjava is not shown such an answer as a whole: it adds an alias to a DNAME record of the name itself (RFC
     * 6672 section 2.3 says that this name is not redirected), and finds no reason why signatures alone should be
     * right.
     */
    private ValidationResult examineAll(ValidationChain evidence, Message message, List<RRset> answers) {
        Message left = new Message(message.getHeader().getID());
        left.getHeader().setFlag(Flags.QR);
        left.addRecord(message.getQuestion(), Section.QUESTION);
        boolean isSecure = true;
        for (RRset set : answers) {
            boolean hasRecords = set.size() > 0;
            if (hasRecords) {
                Message one = alone(message, set);
                Conclusion conclusion = conclude(evidence, one);
                if (evidence.missing() != null) {
                    return missing(evidence);
                }
                if (conclusion.status() == Status.BOGUS) {
                    return new Bogus(Denials.reason(one, clock.instant()));
                }
                isSecure &= conclusion.status() == Status.SECURE;
            }
            isSecure &= hasRecords;
            Denials.add(set, Section.ANSWER, left);
        }
        message.getSectionRRsets(Section.AUTHORITY).stream()
                .filter(set -> Denials.isDenial(set.getType()))
                .forEach(set -> Denials.add(set, Section.AUTHORITY, left));
        byte[] wire = left.toWire(Wire.MAX_MESSAGE_BYTES);
        return isSecure ? new Secure(wire, Denials.seconds(left, clock.instant())) : new Insecure(wire);
    }

    /** Returns a response that consists of one record set of an answer and the denials beside it. */
    private Message alone(Message message, RRset set) {
        Message one = Denials.about(set);
        message.getSectionRRsets(Section.AUTHORITY).stream()
                .filter(each -> Denials.isDenial(each.getType()) && !set.equals(each))
                .filter(each -> !anchors.isInsecure(each.getName()))
                .forEach(each -> Denials.add(each, Section.AUTHORITY, one));
        return one;
    }

    /** An unsigned alias may lead to a name in a signed zone. dnsjava does not check this case. */
    private ValidationResult examineBehind(ValidationChain evidence, Message message, List<RRset> answers) {
        ValidationResult each = examineEach(evidence, message, answers);
        Message end = Denials.behindAliases(message);
        if (!(each instanceof Insecure) || end == null) {
            return each;
        }
        ValidationResult denial = examine(evidence, end);
        return denial instanceof Secure || denial instanceof Insecure ? each : denial;
    }

    /**
     * Validates record sets one by one if the answer as a whole is inconclusive. Each must be secure or provably
     * unsigned. For positive answers, this happens only with wildcards and a weak denial.
     */
    private ValidationResult examineEach(ValidationChain evidence, Message message, List<RRset> sets) {
        for (RRset set : sets) {
            boolean isOfParent = set.getType() == Type.NS && set.sigs().isEmpty();
            if (isOfParent || Denials.isSynthesized(set, sets)) {
                continue;
            }
            Message one = alone(message, set);
            Conclusion conclusion = conclude(evidence, one);
            if (evidence.missing() != null) {
                return missing(evidence);
            }
            if (conclusion.status() == Status.BOGUS) {
                return new Bogus(Denials.reason(one, clock.instant()));
            }
        }
        return new Insecure(message.toWire(Wire.MAX_MESSAGE_BYTES));
    }

    /** Returns dnsjava's verdict about a message; not valid if records were missing. */
    private Conclusion conclude(ValidationChain evidence, Message message) {
        evidence.begin(message);
        Message query = Message.newQuery(message.getQuestion());
        CompletableFuture<Message> examination =
                resolver.sendAsync(query, evidence).toCompletableFuture();
        Message said;
        try {
            said = examination.get(Math.max(0, evidence.deadline().left()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon(examination);
            throw new OverdueException();
        } catch (TimeoutException e) {
            abandon(examination);
            throw new OverdueException();
        } catch (ExecutionException e) {
            evidence.deadline().check();
            return Conclusion.bogus(EdnsError.DNSSEC_BOGUS);
        }
        evidence.deadline().check(); // dnsjava takes a check that was ended for one that has failed
        if (said.getHeader().getFlag(Flags.AD)) {
            return new Conclusion(Status.SECURE, said, EdnsError.OTHER);
        }
        if (said.getRcode() == Rcode.SERVFAIL) {
            return Conclusion.bogus(EdnsError.ofDnssec(code(said)));
        }
        boolean isExplained = said.getSection(Section.ADDITIONAL).stream()
                .anyMatch(record -> record.getDClass() == REASON_CLASS && record.getType() == Type.TXT);
        return new Conclusion(isExplained ? Status.INSECURE : Status.PASSED, said, EdnsError.DNSSEC_BOGUS);
    }

    private void abandon(CompletableFuture<Message> examination) {
        abandoned.incrementAndGet();
        examination.whenComplete((said, failure) -> abandoned.decrementAndGet());
    }

    /** Returns the number of validations that dnsjava continues although their time limit has passed. */
    int abandoned() {
        return abandoned.get();
    }

    private static int code(Message message) {
        OPTRecord opt = message.getOPT();
        if (opt != null) {
            for (EDNSOption option : opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)) {
                return ((ExtendedErrorCodeOption) option).getErrorCode();
            }
        }
        return EdnsError.DNSSEC_BOGUS.code();
    }

    private static ValidationResult missing(ValidationChain evidence) {
        Record question = evidence.missing();
        if (question == null) {
            throw new IllegalStateException("missing: null (expected: a question)");
        }
        Name name = question.getName();
        return new Missing(name.toWireCanonical(), question.getType());
    }
}
