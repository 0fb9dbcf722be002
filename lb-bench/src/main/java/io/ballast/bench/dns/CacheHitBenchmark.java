package io.ballast.bench.dns;

import io.ballast.dns.forward.cache.AnswerAppender;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.CacheReader;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Answers a query from the forwarder's cache, without sockets. The queries ask for the A records of all
 * cached names in random order; each answer has 4 records. Run with {@code -prof gc}; {@code
 * gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar CacheHitBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CacheHitBenchmark {

    private static final int RECORDS = 4;
    private static final int NETWORKS = 128;
    private static final int RECORD_BYTES = 16;
    private static final int ALIAS_BYTES = 12;
    private static final long CACHE_BYTES = 1L << 30;

    @Param({"1000", "1000000"})
    public int names;

    private final Query query = new Query(new NameHash(1, 2));
    private final AnswerCache cache = new AnswerCache(CACHE_BYTES, AnswerCache.DEFAULT_STALE);
    private final CacheReader reader = cache.reader();
    private final AnswerReader answerReader = new AnswerReader(TtlLimits.DEFAULT);
    private final AnswerAppender appender = new AnswerAppender();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private byte[][] queries = {};
    private int next;
    private final QuerySubnet subnet = new QuerySubnet();
    private int network;

    /** Caches an answer for each name, and encodes a query for each, in random order. */
    @Setup
    public void keep() {
        SplittableRandom random = new SplittableRandom(1);
        queries = new byte[names][];
        for (int i = 0; i < names; i++) {
            queries[i] = ServiceZone.query("n" + i);
            parse(queries[i]);
            Question question = Question.of(query.name(), RecordType.A, /* flags= */ 0, /* group= */ 0);
            byte[] message = answer(queries[i]);
            Taken taken = (Taken) answerReader.read(message, message.length, question, /* nowNanos= */ 0);
            cache.put(question, taken.answer());
        }
        for (int i = names - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            byte[] swapped = queries[i];
            queries[i] = queries[other];
            queries[other] = swapped;
        }
        keepForNetworks();
        if (cache.statistics().entries() != names + 1) {
            throw new IllegalStateException("the cache does not hold all names");
        }
    }

    private void keepForNetworks() {
        parse(queries[0]);
        Question shared = Question.of(query.name(), RecordType.A, /* flags= */ 0, /* group= */ 0);
        byte[] message = answer(queries[0]);
        Taken taken = (Taken) answerReader.read(message, message.length, shared, /* nowNanos= */ 0);
        for (int i = 0; i < NETWORKS; i++) {
            setSubnet(subnet, i);
            cache.put(shared.withSubnet(subnet.toSubnet()), taken.answer().withScope(/* bits= */ 24));
        }
    }

    private static byte[] answer(byte[] query) {
        byte[] message = Arrays.copyOf(query, query.length + RECORDS * RECORD_BYTES);
        message[2] |= (byte) 0x80;
        Wire.putU16(message, 6, RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            int at = query.length + i * RECORD_BYTES;
            Wire.putRecord(message, at, Wire.QUESTION_NAME, RecordType.A, 3600, 4);
            Wire.putU32(message, at + RECORD_BYTES - 4, 0xc0000200 + i);
        }
        return message;
    }

    private void parse(byte[] message) {
        query.parse(message, message.length);
        query.name().hash();
    }

    private CacheEntry find() {
        byte[] message = queries[next];
        next = next + 1 == queries.length ? 0 : next + 1;
        parse(message);
        CacheEntry answer = reader.find(query.name(), query.type(), /* flags= */ 0, /* group= */ 0, /* nowNanos= */ 1);
        if (answer == null) {
            throw new IllegalStateException("the cache lacks a name");
        }
        return answer;
    }

    /** A cache hit: parse, look up and write. */
    @Benchmark
    public int hit() {
        return find().write(query, out, /* limit= */ 512, /* ageSeconds= */ 7);
    }

    /** A cache hit for the target of a CNAME record that the server itself adds to the response. */
    @Benchmark
    public int hitBehindAlias() {
        CacheEntry answer = find();
        int start = Response.begin(query, out);
        int nameBytes = query.name().length();
        int nameAt = start + ALIAS_BYTES;
        Wire.putRecord(out, start, Wire.QUESTION_NAME, RecordType.CNAME, 60, nameBytes);
        query.name().copy(nameBytes, out, nameAt);
        return appender.append(
                answer,
                /* isStale= */ false,
                /* nowNanos= */ 1,
                out,
                nameAt + nameBytes,
                /* limit= */ 512,
                nameAt,
                nameBytes);
    }

    /** A lookup, without writing the response. */
    @Benchmark
    public CacheEntry lookup() {
        return find();
    }

    /**
     * Looks up a name that has a cached answer for each of {@value #NETWORKS} client networks, the maximum that
     * the cache keeps. Each call uses the next network.
     */
    @Benchmark
    public CacheEntry lookupForNetwork() {
        parse(queries[0]);
        network = (network + 1) & (NETWORKS - 1);
        setSubnet(subnet, network);
        CacheEntry answer =
                reader.find(query.name(), query.type(), /* flags= */ 0, /* group= */ 0, subnet, /* nowNanos= */ 1);
        if (answer == null) {
            throw new IllegalStateException("a network has no answer");
        }
        return answer;
    }

    private static void setSubnet(QuerySubnet subnet, int network) {
        long address = 0xffff_c633_0000L | (long) network << 8; // the networks start at 198.51.0.0
        subnet.setNetwork(
                /* addressHigh= */ 0,
                address,
                /* prefixBits= */ 24,
                /* isLongest= */ true,
                /* isFromClientOption= */ false);
    }
}
