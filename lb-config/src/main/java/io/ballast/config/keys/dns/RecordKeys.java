package io.ballast.config.keys.dns;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.config.Address;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import java.util.List;
import java.util.Optional;

/** A record of a service: {@code dns.zones[].services[].records[]}, or a record of a target. */
final class RecordKeys {

    private static final ShapeBuilder<ConditionalRecord> KEYS = Shape.named(
            "record",
            "A record that depends on health. Its data alone can be given for a record that is always included.");

    private static final Key<String> DATA = KEYS.required(
            "data",
            Scalars.TEXT,
            "record data in zone file format, such as 10 mail1.example.com.; names without a final dot are"
                    + " relative to the zone",
            ConditionalRecord::data);
    private static final Key<String> POOL = KEYS.optional(
            "pool",
            NameReference.POOL,
            "pool in which a backend must be healthy; without it, the record is always included",
            ConditionalRecord::pool);
    private static final Key<Address> BACKEND = KEYS.optional(
            "backend", Addresses.BACKEND, "the backend of the pool that must be healthy", ConditionalRecord::backend);

    /** A record, written as a mapping or as the record data alone. */
    static final Type<ConditionalRecord> RECORD = new BriefType<>(
            Scalars.TEXT.map(RecordKeys::always, ConditionalRecord::data),
            KEYS.build(values -> new ConditionalRecord(values.get(DATA), values.find(POOL), values.find(BACKEND))),
            record -> record.pool().isEmpty());

    /** A list of records, or the data of a single unconditional record. */
    static final Type<List<ConditionalRecord>> RECORDS = new BriefType<>(
            Scalars.TEXT.map(
                    data -> List.of(always(data)), records -> records.get(0).data()),
            ListType.atLeastOne(RECORD).unique("record", RecordKeys::identity),
            records -> records.size() == 1 && records.get(0).pool().isEmpty());

    private RecordKeys() {}

    private static ConditionalRecord always(String data) {
        return new ConditionalRecord(data, Optional.empty(), Optional.empty());
    }

    private static String identity(ConditionalRecord record) {
        return record.data()
                + record.pool().map(pool -> " on " + pool).orElse("")
                + record.backend().map(address -> " " + address).orElse("");
    }
}
