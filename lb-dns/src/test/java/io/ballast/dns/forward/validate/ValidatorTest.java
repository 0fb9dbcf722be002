package io.ballast.dns.forward.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.forward.DnsValidationConfig.Mode;
import io.ballast.dns.testing.ManualClock;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedTree;
import io.ballast.dns.wire.EdnsError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

class ValidatorTest {

    @TempDir
    private Path directory;

    private final Instant now = Instant.now();
    private final ManualClock clock = new ManualClock(now);
    private final SignedTree tree = new SignedTree(now);

    @Test
    void fetchesAndCachesKeys() throws Exception {
        Validator validator = validator();

        assertThat(questions(validator, answer("www.good.lab", Type.A))).isEqualTo(5);
        assertThat(questions(validator, answer("here.good.lab", Type.A))).isZero();
    }

    @Test
    void usesInjectedClock() throws Exception {
        Validator validator = validator();
        ValidationResult finding = finish(validator, answer("www.good.lab", Type.A));
        assertThat(finding).isInstanceOf(ValidationResult.Secure.class);
        assertThat(((ValidationResult.Secure) finding).validSeconds()).isEqualTo(300);

        clock.advance(Duration.ofSeconds(86_400 - 10));
        ValidationResult later = finish(validator, answer("www.good.lab", Type.A));
        assertThat(((ValidationResult.Secure) later).validSeconds())
                .as("no longer than its signature")
                .isLessThanOrEqualTo(10);

        clock.advance(Duration.ofSeconds(20));
        assertThat(finish(validator, answer("www.good.lab", Type.A)))
                .isEqualTo(new ValidationResult.Bogus(EdnsError.SIGNATURE_EXPIRED));
    }

    @Test
    void limitsSignatureVerifications() throws Exception {
        Validator validator = validator();
        Message answer = answer("www.good.lab", Type.A);
        RRSIGRecord sig = (RRSIGRecord) answer.getSection(Section.ANSWER).stream()
                .filter(record -> record.getType() == Type.RRSIG)
                .findFirst()
                .orElseThrow();
        Message many = Messages.parse(answer.toWire(65_535));
        many.removeRecord(sig, Section.ANSWER);
        for (int i = 0; i < 400; i++) {
            many.addRecord(forged(sig, i), Section.ANSWER);
        }
        many.addRecord(sig, Section.ANSWER);

        assertThat(finish(validator, many)).as("the right one is the last").isInstanceOf(ValidationResult.Bogus.class);
    }

    private static RRSIGRecord forged(RRSIGRecord sig, int number) {
        byte[] bytes = sig.getSignature().clone();
        bytes[0] ^= (byte) (1 + number);
        bytes[1] ^= (byte) (number >> 7);
        return new RRSIGRecord(
                sig.getName(),
                DClass.IN,
                sig.getTTL(),
                sig.getTypeCovered(),
                sig.getAlgorithm(),
                sig.getOrigTTL(),
                sig.getExpire(),
                sig.getTimeSigned(),
                sig.getFootprint(),
                sig.getSigner(),
                bytes);
    }

    @Test
    void limitsRecordSets() throws Exception {
        Message answer = answer("www.good.lab", Type.A);
        for (int i = 0; i < Validator.MAX_SETS; i++) {
            Name owner = Messages.name(i + ".www.good.lab");
            answer.addRecord(new TXTRecord(owner, DClass.IN, 60, "x"), Section.AUTHORITY);
        }

        ValidationChain chain = new ValidationChain(answer.toWire(65_535));
        assertThat(validator().validate(chain)).isEqualTo(new ValidationResult.Bogus(EdnsError.DNSSEC_BOGUS));
    }

    @Test
    void malformedMessageIsBogus() throws Exception {
        assertThat(validator().validate(new ValidationChain(new byte[3]))).isInstanceOf(ValidationResult.Bogus.class);
    }

    /** RFC 6672 section 2.3: a query for the owner name of a DNAME record is not rewritten. */
    @Test
    void dnameOwnerIsNotRewritten() throws Exception {
        ValidationResult finding = finish(validator(), answer("moved.good.lab", Type.ANY));

        assertThat(finding).isInstanceOf(ValidationResult.Secure.class);
        Message left = new Message(((ValidationResult.Secure) finding).message());
        assertThat(left.getSection(Section.ANSWER))
                .extracting(Record::getType)
                .contains(Type.DNAME, Type.A)
                .doesNotContain(Type.CNAME);
        assertThat(left.getSection(Section.ANSWER)).extracting(Record::getTTL).doesNotContain(0L);
    }

    @Test
    void unsignedCnameOfDnameOwnerIsBogus() throws Exception {
        for (int type : new int[] {Type.ANY, Type.A}) {
            Message answer = answer("moved.good.lab", Type.ANY);
            Message forged = Message.newQuery(Record.newRecord(Messages.name("moved.good.lab"), type, DClass.IN));
            forged.getHeader().setFlag(Flags.QR);
            answer.getSection(Section.ANSWER).stream()
                    .filter(record -> record.getType() != Type.A)
                    .forEach(record -> forged.addRecord(record, Section.ANSWER));
            forged.addRecord(Messages.record("moved.good.lab. 300 IN CNAME good.lab."), Section.ANSWER);

            assertThat(finish(validator(), forged)).isInstanceOf(ValidationResult.Bogus.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"www.good.lab", "moved.good.lab", "www.unknown.lab", "www.broken.lab", "good.lab"})
    void signatureOnlyAnswerIsInsecure(String name) throws Exception {
        Message answer = answer(name, Type.RRSIG);
        assertThat(finish(validator(), answer)).isInstanceOf(ValidationResult.Insecure.class);

        Message any = Message.newQuery(Record.newRecord(Messages.name(name), Type.ANY, DClass.IN));
        any.getHeader().setFlag(Flags.QR);
        answer.getSection(Section.ANSWER).forEach(record -> any.addRecord(record, Section.ANSWER));
        assertThat(finish(validator(), any)).isInstanceOf(ValidationResult.Insecure.class);
    }

    @Test
    void signaturesWithoutRecordsAreNoAnswer() throws Exception {
        Message stripped = Message.newQuery(Record.newRecord(Messages.name("www.good.lab"), Type.A, DClass.IN));
        stripped.getHeader().setFlag(Flags.QR);
        answer("www.good.lab", Type.RRSIG)
                .getSection(Section.ANSWER)
                .forEach(record -> stripped.addRecord(record, Section.ANSWER));

        assertThat(finish(validator(), stripped)).isInstanceOf(ValidationResult.Bogus.class);
    }

    @Test
    void cancelledValidationStopsBeforeNextSignature() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean waits = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        Thread test = Thread.currentThread();
        Validator validator = new Validator(
                anchors(tree.anchor()),
                new HookedClock(now, () -> {
                    if (waits.get() && Thread.currentThread() != test) {
                        looks.incrementAndGet();
                        await(go);
                    }
                }),
                Duration.ofMillis(500));
        Message denial = answer("www.good.lab", Type.MX);
        while (!(finish(validator, denial) instanceof ValidationResult.Secure)) {
            // A busy machine abandons some validations.
            assertThat(validator.abandonedCount()).isLessThan(Validator.MAX_ABANDONED);
        }
        assertThat(new HashSet<>(denial.getSectionRRsets(Section.AUTHORITY))).hasSizeGreaterThan(1);

        waits.set(true);
        assertThat(finish(validator, denial)).isInstanceOf(ValidationResult.Undecided.class);
        assertThat(validator.abandonedCount()).isEqualTo(1);
        go.countDown();
        while (validator.abandonedCount() > 0) {
            Thread.onSpinWait();
        }

        assertThat(looks).as("dnsjava looks at the clock before each set").hasValue(1);
    }

    /**
     * Tests the limit of abandoned validations: dnsjava checks a denial on its own thread, which blocks here at its
     * first read of the clock.
     */
    @Test
    void abandonedValidationsAreLimited() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean waits = new AtomicBoolean();
        Thread test = Thread.currentThread();
        Clock slow = new HookedClock(now, () -> {
            if (waits.get() && Thread.currentThread() != test) {
                await(go);
            }
        });
        Validator validator = new Validator(anchors(tree.anchor()), slow, Duration.ofMillis(500));
        Message denial = answer("www.good.lab", Type.MX);
        while (!(finish(validator, denial) instanceof ValidationResult.Secure)) {
            // A busy machine abandons some validations.
            assertThat(validator.abandonedCount()).isLessThan(Validator.MAX_ABANDONED);
        }

        waits.set(true);
        try {
            while (validator.abandonedCount() < Validator.MAX_ABANDONED) {
                assertThat(finish(validator, denial)).isInstanceOf(ValidationResult.Undecided.class);
            }
            assertThat(finish(validator, denial)).isInstanceOf(ValidationResult.Undecided.class);
            assertThat(finish(validator, answer("www.good.lab", Type.A)))
                    .isInstanceOf(ValidationResult.Undecided.class);
            assertThat(validator.abandonedCount()).isEqualTo(Validator.MAX_ABANDONED);
        } finally {
            go.countDown();
        }

        while (validator.abandonedCount() > 0) {
            Thread.onSpinWait();
        }
        while (!(finish(validator, denial) instanceof ValidationResult.Secure)) {
            assertThat(validator.abandonedCount()).isLessThan(Validator.MAX_ABANDONED);
        }
    }

    @Test
    void queueIsBounded() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (ValidationPool pool = new ValidationPool(/* max= */ 1, /* queue= */ 1)) {
            boolean first = pool.submit(() -> {
                running.countDown();
                await(go);
            });
            running.await();

            assertThat(first).isTrue();
            assertThat(pool.submit(() -> {})).as("waits").isTrue();
            assertThat(pool.submit(() -> {})).as("one too many").isFalse();
            go.countDown();
        }
    }

    /** A clock that runs a hook at each read. */
    private static final class HookedClock extends Clock {

        private final Instant now;
        private final Runnable hook;

        HookedClock(Instant now, Runnable hook) {
            this.now = now;
            this.hook = hook;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            hook.run();
            return now;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void trustAnchorsAreKeyRecords() throws Exception {
        assertThat(TrustAnchors.of(DnsValidationConfig.of(Mode.VALIDATE)).text())
                .contains("20326", "38696");
        assertThatThrownBy(() -> anchors(""))
                .hasMessageContaining("contains no records (expected: DS or DNSKEY records)");
        assertThatThrownBy(() -> anchors(". 60 IN A 192.0.2.1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("A (expected: DS or DNSKEY records)");
        assertThatThrownBy(() -> anchors("nonsense ("))
                .hasMessageContaining("dns.forward.dnssec.trust_anchors: ")
                .hasMessageContaining("anchors");
    }

    private TrustAnchors anchors(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("anchors"), text + "\n");
        return TrustAnchors.of(new DnsValidationConfig(Mode.VALIDATE, Optional.of(file), List.of()));
    }

    private Validator validator() throws IOException {
        return new Validator(anchors(tree.anchor()), clock);
    }

    private Message answer(String name, int type) {
        return tree.answer(Messages.query(name, type));
    }

    private int questions(Validator validator, Message answer) {
        int questions = 0;
        ValidationChain chain = new ValidationChain(answer.toWire(65_535));
        while (validator.validate(chain) instanceof ValidationResult.Missing missing) {
            questions++;
            add(chain, missing);
        }
        return questions;
    }

    private ValidationResult finish(Validator validator, Message answer) {
        ValidationChain chain = new ValidationChain(answer.toWire(65_535));
        while (true) {
            ValidationResult finding = validator.validate(chain);
            if (!(finding instanceof ValidationResult.Missing missing)) {
                return finding;
            }
            add(chain, missing);
        }
    }

    private void add(ValidationChain chain, ValidationResult.Missing missing) {
        Message query = Message.newQuery(Record.newRecord(name(missing), missing.type(), DClass.IN));
        chain.add(tree.answer(query).toWire(65_535));
    }

    private static Name name(ValidationResult.Missing missing) {
        try {
            return new Name(missing.name());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
