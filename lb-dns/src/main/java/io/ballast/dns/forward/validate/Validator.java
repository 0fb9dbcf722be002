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
 * Validates resolver answers with dnsjava's validator, and caches validated keys and proofs of insecurity: at
 * most {@value #MAX_KEYS} zones, for {@value #KEY_SECONDS} s or their TTL if that is less.
 *
 * <p>An answer is secure only if dnsjava confirms it, and insecure only if dnsjava gives a reason. dnsjava
 * also returns answers without a result: after an exception, and if a denial proves nothing. Such answers are
 * validated once more, record by record.
 *
 * <p>Thread safety: any thread may call it. Cost: a few signatures, 0.1 ms each, and more while keys are
 * fetched. The limits are {@value #MAX_SETS} record sets with at most 9 signatures each, {@value
 * Denials#MAX_ITERATIONS} iterations of NSEC3 hashes, and {@value #MAX_SECONDS} s in all. dnsjava validates
 * denials on the JVM's common pool or on its own threads. On these threads, a validation whose deadline has
 * passed ends before its next signature ({@link TimedSignature}). While {@value #MAX_ABANDONED} such
 * validations are still running, no new validation is started.
 */
public final class Validator {

    static final int MAX_KEYS = 10_000;
    static final int KEY_SECONDS = 900;
    static final int MAX_SETS = 100;
    static final int MAX_SECONDS = 2;
    static final int MAX_ABANDONED = 8;

    /** The class of the record in which dnsjava returns the reason of a verdict. */
    private static final int REASON_CLASS = ValidatingResolver.VALIDATION_REASON_QCLASS;

    private final TrustAnchors anchors;
    private final Clock clock;
    private final ValidatingResolver resolver;
    private final Duration timeLimit;

    /** The number of validations that dnsjava continues although their time limit has passed. */
    private final AtomicInteger abandonedCount = new AtomicInteger();

    private volatile boolean replaced;

    private enum Status {
        SECURE,
        INSECURE,
        BOGUS,
        /** The validation has no result. */
        INDETERMINATE
    }

    /**
     * @param message the validated part of the answer; null if it is bogus
     * @param reason the reason if it is bogus
     */
    private record Conclusion(Status status, @Nullable Message message, EdnsError reason) {

        static Conclusion bogus(EdnsError reason) {
            return new Conclusion(Status.BOGUS, /* message= */ null, reason);
        }
    }

    /** Called when another validator replaces this one. Results of this validator are no longer cached. */
    public void replaced() {
        replaced = true;
    }

    public boolean isReplaced() {
        return replaced;
    }

    /** @param clock the clock for the validity of signatures */
    public Validator(TrustAnchors anchors, Clock clock) {
        this(anchors, clock, Duration.ofSeconds(MAX_SECONDS));
    }

    /** @param timeLimit the time limit of a validation */
    Validator(TrustAnchors anchors, Clock clock, Duration timeLimit) {
        this.anchors = anchors;
        this.clock = clock;
        this.timeLimit = timeLimit;
        this.resolver = new ValidatingResolver(new ValidationChainResolver(), clock);
        try {
            resolver.init(properties());
            resolver.loadTrustAnchors(anchors.stream());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "trust anchors: " + ErrorText.of(e) + " (expected: trust anchors that were valid before)", e);
        }
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("dnsjava.dnssec.keycache.max_size", Integer.toString(MAX_KEYS));
        properties.setProperty("dnsjava.dnssec.keycache.max_ttl", Integer.toString(KEY_SECONDS));
        for (int bits : new int[] {1024, 2048, 4096}) {
            properties.setProperty("dnsjava.dnssec.nsec3.iterations." + bits, Integer.toString(Denials.MAX_ITERATIONS));
        }
        return properties;
    }

    /** Returns the trust anchors. */
    public TrustAnchors anchors() {
        return anchors;
    }

    /** Validates an answer with the known records. Does not block. */
    public ValidationResult validate(ValidationChain chain) {
        if (abandonedCount.get() >= MAX_ABANDONED) {
            return new Undecided();
        }
        try {
            return validate(chain, chain.parse(Deadline.after(timeLimit.toNanos())));
        } catch (IOException e) {
            return new Bogus(EdnsError.DNSSEC_BOGUS); // the answer has a form that cannot be validated
        } catch (OverdueException e) {
            return new Undecided();
        } catch (StackOverflowError | RuntimeException e) {
            return chain.missingQuestion() == null ? new Bogus(EdnsError.DNSSEC_BOGUS) : missingResult(chain);
        }
    }

    private ValidationResult validate(ValidationChain chain, Message message) {
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
            return validateEach(chain, message, aliases(answers));
        }
        int type = message.getQuestion().getType();
        if ((type == Type.ANY || type == Type.RRSIG) && rcode == Rcode.NOERROR && !answers.isEmpty()) {
            return validateAll(chain, message, answers);
        }
        Conclusion first = conclude(chain, message);
        if (chain.missingQuestion() != null) {
            return missingResult(chain);
        }
        boolean isInconclusive = first.status() == Status.INDETERMINATE
                || (first.status() == Status.BOGUS && Denials.exceedsIterationLimit(message));
        if (isInconclusive && Denials.isInconclusive(message)) {
            return validateEach(
                    chain,
                    message,
                    Stream.concat(answers.stream(), authority.stream()).toList());
        }
        Message validated = first.message();
        if (validated == null || first.status() == Status.INDETERMINATE) {
            EdnsError reason = first.reason() == EdnsError.DNSSEC_BOGUS
                    ? Denials.bogusReason(message, clock.instant())
                    : first.reason();
            return new Bogus(reason);
        }
        boolean hasAliases = answers.stream().anyMatch(set -> set.getType() == Type.CNAME);
        if (first.status() == Status.INSECURE && hasAliases) {
            return validateAliasTarget(chain, message, answers);
        }
        byte[] wire = validated.toWire(Wire.MAX_MESSAGE_BYTES);
        return first.status() == Status.SECURE
                ? new Secure(wire, Denials.validSeconds(validated, clock.instant()))
                : new Insecure(wire);
    }

    /** Returns the record sets before the first insecure name: the aliases that lead to that name. */
    private List<RRset> aliases(List<RRset> answers) {
        return answers.stream()
                .takeWhile(set -> !anchors.isInsecure(set.getName()))
                .toList();
    }

    /**
     * Validates all record sets of the answer to an ANY or RRSIG question one by one. The answer is secure if
     * every set is secure. If the answer contains signatures without the records that they cover, it gets no AD
     * bit, because such signatures cannot be validated.
     *
     * <p>Such an answer is not passed to dnsjava as a whole. dnsjava would add an alias for the owner of a DNAME
     * record, although RFC 6672 section 2.3 does not redirect this name. It also cannot validate an answer that
     * contains only signatures.
     */
    private ValidationResult validateAll(ValidationChain chain, Message message, List<RRset> answers) {
        Message validated = new Message(message.getHeader().getID());
        validated.getHeader().setFlag(Flags.QR);
        validated.addRecord(message.getQuestion(), Section.QUESTION);
        boolean isSecure = true;
        for (RRset set : answers) {
            boolean hasRecords = set.size() > 0;
            if (hasRecords) {
                Message single = extractSet(message, set);
                Conclusion conclusion = conclude(chain, single);
                if (chain.missingQuestion() != null) {
                    return missingResult(chain);
                }
                if (conclusion.status() == Status.BOGUS) {
                    return new Bogus(Denials.bogusReason(single, clock.instant()));
                }
                isSecure &= conclusion.status() == Status.SECURE;
            }
            isSecure &= hasRecords;
            Denials.add(set, Section.ANSWER, validated);
        }
        message.getSectionRRsets(Section.AUTHORITY).stream()
                .filter(set -> Denials.isDenial(set.getType()))
                .forEach(set -> Denials.add(set, Section.AUTHORITY, validated));
        byte[] wire = validated.toWire(Wire.MAX_MESSAGE_BYTES);
        return isSecure ? new Secure(wire, Denials.validSeconds(validated, clock.instant())) : new Insecure(wire);
    }

    /** Returns a response with one record set of an answer and the NSEC or NSEC3 records of that answer. */
    private Message extractSet(Message message, RRset set) {
        Message single = Denials.positiveResponse(set);
        message.getSectionRRsets(Section.AUTHORITY).stream()
                .filter(each -> Denials.isDenial(each.getType()) && !set.equals(each))
                .filter(each -> !anchors.isInsecure(each.getName()))
                .forEach(each -> Denials.add(each, Section.AUTHORITY, single));
        return single;
    }

    /**
     * Validates an answer with an unsigned alias, which may lead to a name in a signed zone. dnsjava does not
     * check this case.
     */
    private ValidationResult validateAliasTarget(ValidationChain chain, Message message, List<RRset> answers) {
        ValidationResult result = validateEach(chain, message, answers);
        Message targetDenial = Denials.denialOfAliasTarget(message);
        if (!(result instanceof Insecure) || targetDenial == null) {
            return result;
        }
        ValidationResult denial = validate(chain, targetDenial);
        return denial instanceof Secure || denial instanceof Insecure ? result : denial;
    }

    /**
     * Validates record sets one by one if the validation of the whole answer is inconclusive. Each set must be
     * secure or provably unsigned. A positive answer is inconclusive only if a wildcard matches and the denial
     * proves nothing, for example because of opt-out.
     */
    private ValidationResult validateEach(ValidationChain chain, Message message, List<RRset> sets) {
        for (RRset set : sets) {
            boolean isOfParent = set.getType() == Type.NS && set.sigs().isEmpty();
            if (isOfParent || Denials.isSynthesized(set, sets)) {
                continue;
            }
            Message single = extractSet(message, set);
            Conclusion conclusion = conclude(chain, single);
            if (chain.missingQuestion() != null) {
                return missingResult(chain);
            }
            if (conclusion.status() == Status.BOGUS) {
                return new Bogus(Denials.bogusReason(single, clock.instant()));
            }
        }
        return new Insecure(message.toWire(Wire.MAX_MESSAGE_BYTES));
    }

    /**
     * Returns dnsjava's verdict on a message. The verdict must not be used if dnsjava needed records that were
     * missing.
     */
    private Conclusion conclude(ValidationChain chain, Message message) {
        chain.setCurrentMessage(message);
        Message query = Message.newQuery(message.getQuestion());
        CompletableFuture<Message> examination =
                resolver.sendAsync(query, chain).toCompletableFuture();
        Message response;
        try {
            response = examination.get(Math.max(0, chain.deadline().remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon(examination);
            throw new OverdueException();
        } catch (TimeoutException e) {
            abandon(examination);
            throw new OverdueException();
        } catch (ExecutionException e) {
            chain.deadline().throwIfOverdue();
            return Conclusion.bogus(EdnsError.DNSSEC_BOGUS);
        }
        chain.deadline().throwIfOverdue(); // dnsjava reports a check that the deadline aborted as a failed check
        if (response.getHeader().getFlag(Flags.AD)) {
            return new Conclusion(Status.SECURE, response, EdnsError.OTHER);
        }
        if (response.getRcode() == Rcode.SERVFAIL) {
            return Conclusion.bogus(EdnsError.ofDnssec(errorCode(response)));
        }
        boolean isExplained = response.getSection(Section.ADDITIONAL).stream()
                .anyMatch(record -> record.getDClass() == REASON_CLASS && record.getType() == Type.TXT);
        return new Conclusion(isExplained ? Status.INSECURE : Status.INDETERMINATE, response, EdnsError.DNSSEC_BOGUS);
    }

    private void abandon(CompletableFuture<Message> examination) {
        abandonedCount.incrementAndGet();
        examination.whenComplete((result, failure) -> abandonedCount.decrementAndGet());
    }

    /** Returns the number of validations that dnsjava continues although their time limit has passed. */
    int abandonedCount() {
        return abandonedCount.get();
    }

    private static int errorCode(Message message) {
        OPTRecord opt = message.getOPT();
        if (opt != null) {
            for (EDNSOption option : opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)) {
                return ((ExtendedErrorCodeOption) option).getErrorCode();
            }
        }
        return EdnsError.DNSSEC_BOGUS.code();
    }

    private static ValidationResult missingResult(ValidationChain chain) {
        Record question = chain.missingQuestion();
        if (question == null) {
            throw new IllegalStateException("the question is missing");
        }
        Name name = question.getName();
        return new Missing(name.toWireCanonical(), question.getType());
    }
}
