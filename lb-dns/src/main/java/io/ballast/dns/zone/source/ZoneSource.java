package io.ballast.dns.zone.source;

import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TransferContents;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.contents.ZoneContentsBuilder;
import io.ballast.dns.zonefile.FileProblem;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.RecordSink;
import io.ballast.dns.zonefile.ZoneFilePosition;
import io.ballast.dns.zonefile.ZoneFileReader;
import io.ballast.dns.zonefile.ZoneJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * Provides a zone's records from its file or from the configuration. Confined to the reading thread.
 */
public final class ZoneSource {

    private final ZoneConfig config;
    private final Name apex;
    private final FileProblems fileProblems = new FileProblems();

    private final ReadFiles files = new ReadFiles();
    /** Warnings from the last time that the file was read. */
    private List<FileProblem> warningsOfFile = List.of();

    private ZoneContents contents;
    private long neededBytes;
    private ZoneFindings findings = ZoneFindings.NONE;
    /** The contents for transfers, if the zone has no services. */
    private @Nullable TransferContents transferContents;

    private ZoneSource(ZoneConfig config) {
        this.config = config;
        this.apex = Names.absolute(config.name());
        this.contents = ZoneContents.of(apex, List.of());
    }

    /**
     * Reads and checks the records of a zone, unless the zone is too large.
     *
     * @param budget memory limit, in which the memory of the zone is reserved
     */
    public static ZoneSource read(ZoneConfig config, HeapBudget budget) {
        ZoneSource source = new ZoneSource(config);
        ZoneContentsBuilder records = source.builder(budget);
        budget.reserve(source.neededBytes);
        source.storeRecords(records);
        return source;
    }

    /**
     * Like {@link #read}, but reports a problem for a zone that is too large, and reserves no memory for it.
     */
    public static ZoneSource readIfItFits(ZoneConfig config, HeapBudget budget) {
        ZoneSource source = new ZoneSource(config);
        ZoneContentsBuilder records = source.builder(budget);
        if (!records.isComplete() || !budget.allows(source.neededBytes)) {
            source.findings = ZoneFindings.ofErrors(List.of(ZoneProblem.ofConfiguration(
                    "the zone needs about " + (source.neededBytes >> 20) + " MB of heap, but less is free")));
            return source;
        }
        budget.reserve(source.neededBytes);
        source.storeRecords(records);
        return source;
    }

    private ZoneContentsBuilder builder(HeapBudget budget) {
        ZoneContentsBuilder records =
                new ZoneContentsBuilder(apex, budget, config.dnssec().isPresent());
        read(records);
        neededBytes = records.neededBytes();
        return records;
    }

    private void storeRecords(ZoneContentsBuilder records) {
        warningsOfFile = fileProblems.warnings();
        if (records.isComplete()) {
            contents = records.build();
            findings = checkRecords();
        }
    }

    /**
     * Checks the records read earlier against the services of {@code next}, and returns the result; empty if the
     * records may have changed.
     *
     * @param budget memory limit; only half of the zone's memory is reserved, because the records already exist
     */
    public Optional<ZoneSource> withServicesOf(ZoneConfig next, HeapBudget budget) {
        if (!isUnchanged() || !recordConfig(next).equals(recordConfig(config))) {
            return Optional.empty();
        }
        budget.reserve(neededBytes / 2);
        if (next.equals(config)) {
            return Optional.of(this);
        }
        ZoneSource source = new ZoneSource(next);
        files.copyTo(source.files);
        warningsOfFile.forEach(warning -> source.fileProblems.warning(warning.place(), warning.message()));
        source.warningsOfFile = warningsOfFile;
        source.neededBytes = neededBytes;
        source.contents = contents;
        source.findings = source.checkRecords();
        return Optional.of(source);
    }

    /**
     * Returns the records read earlier, even if the files have changed since; empty if the configuration of the
     * zone has changed.
     *
     * @param budget memory limit; only half of the zone's estimated size is reserved, because its records are
     *     already in memory
     */
    public Optional<ZoneSource> reuseRecords(ZoneConfig next, HeapBudget budget) {
        if (!next.equals(config)) {
            return Optional.empty();
        }
        budget.reserve(neededBytes / 2);
        return Optional.of(this);
    }

    /**
     * Returns the zone with changed records of some names. The changes must already be in the zone's files. Only
     * these names are checked, unless their changes affect other names.
     *
     * @param next the current configuration of the zone
     * @param budget memory limit
     */
    public ZoneSource withContents(ZoneConfig next, ZoneContents changed, HeapBudget budget) {
        ZoneSource source = new ZoneSource(next);
        next.file().ifPresent(source.files::addFile);
        source.journal().map(ZoneJournal::file).ifPresent(source.files::addFile);
        source.warningsOfFile = warningsOfFile;
        source.neededBytes = changed.neededBytes(next.dnssec().isPresent());
        source.contents = changed;
        Optional<Set<Name>> names =
                changed.changedSince(contents).filter(some -> some.stream().noneMatch(name -> hides(name, changed)));
        source.findings = names.isPresent() ? source.checkRecords(names.get()) : source.checkRecords();
        budget.reserve(source.neededBytes);
        return source;
    }

    /** Whether a name hides the names below it, by a DNAME record or a delegation, before or after the change. */
    private boolean hides(Name name, ZoneContents changed) {
        return Stream.of(contents, changed).anyMatch(each -> each.has(name, Type.DNAME) || each.isDelegated(name));
    }

    private ZoneFindings checkRecords(Set<Name> names) {
        List<RecordProblem> problems = new ArrayList<>(ZoneRules.problems(contents, isSignedHere(), names));
        List<Name> visible =
                names.stream().filter(name -> contents.hidingName(name) == null).toList();
        config.dnssec().ifPresent(signing -> problems.addAll(ZoneRules.problems(contents, signing, visible)));
        return ZoneFindings.ofErrors(problems.stream()
                .map(problem ->
                        ZoneProblem.ofConfiguration(config.name() + ": " + problem.name() + ": " + problem.text()))
                .toList());
    }

    /** Returns the journal of dynamic updates; empty for a zone without updates. */
    private Optional<ZoneJournal> journal() {
        return config.update().flatMap(update -> config.file()).map(ZoneJournal::ofZoneFile);
    }

    /** Creates the source of a secondary zone that has no version yet. */
    public static ZoneSource missing(ZoneConfig config) {
        return read(config.withFile(Optional.empty()), new HeapBudget(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** Returns a source without records for this zone. The zone remains missing until its files change. */
    public ZoneSource asMissing() {
        ZoneSource source = missing(config);
        files.copyTo(source.files);
        return source;
    }

    /** Returns the settings that determine the zone's own records: all settings except its services. */
    private static ZoneConfig recordConfig(ZoneConfig zone) {
        return zone.withoutServices();
    }

    /** Returns the configured name of the zone. */
    public String name() {
        return config.name();
    }

    /** Returns the services of the zone, whose records depend on health. */
    public List<ServiceConfig> services() {
        return config.services();
    }

    /** Whether other servers may transfer the zone. */
    public boolean isTransferable() {
        return config.transfer().isPresent();
    }

    /**
     * Returns the contents for transfers. If the zone has no services, this is always the same object.
     *
     * @param served the records of the zone's services, by name
     */
    public TransferContents transferContents(Map<Name, List<RecordSet>> served) {
        if (!served.isEmpty()) {
            return new TransferContents(contents, served);
        }
        TransferContents known = transferContents;
        if (known == null) {
            known = new TransferContents(contents, served);
            transferContents = known;
        }
        return known;
    }

    /** Returns whether the zone has no contents yet. */
    public boolean isMissing() {
        return config.isAwaitingTransfer();
    }

    /** Whether the files are unchanged since they were read. */
    public boolean isUnchanged() {
        return files.areUnchanged();
    }

    /** Adds the files that were read, each with its state just before it was read. */
    public void addFilesTo(Map<Path, FileState> all) {
        files.addTo(all);
    }

    public ZoneContents contents() {
        return contents;
    }

    /** All problems of the records. */
    public ZoneFindings findings() {
        return findings;
    }

    private ZoneFindings checkRecords() {
        List<ZoneProblem> errors = errors(contents);
        if (!errors.isEmpty() || config.file().isEmpty()) {
            return ZoneFindings.ofErrors(errors);
        }
        place(ZoneWarnings.of(contents, config), config.file().get())
                .forEach(problem -> fileProblems.warning(problem.place(), problem.message()));
        return new ZoneFindings(List.of(), problems(fileProblems.warnings()));
    }

    private void read(ZoneContentsBuilder records) {
        if (config.file().isEmpty()) {
            addConfiguredRecords(records);
            return;
        }
        Path file = config.file().get();
        Optional<ZoneJournal> journal = journal();
        journal.map(ZoneJournal::file).ifPresent(files::addFile);
        Map<Name, List<Record>> changed =
                journal.map(each -> changedRecords(each, file)).orElse(Map.of());
        RecordSink sink = (record, place) -> {
            if (!changed.containsKey(record.getName())) {
                records.add(record);
            }
        };
        ZoneFileReader.read(file, apex, sink, fileProblems, files::addFile);
        changed.values().forEach(each -> each.forEach(records::add));
    }

    private Map<Name, List<Record>> changedRecords(ZoneJournal journal, Path file) {
        try {
            return journal.changes(file, apex).names();
        } catch (IOException e) {
            fileProblems.error(ZoneFilePosition.startOf(journal.file()), "cannot be read: " + ErrorText.reason(e));
            return Map.of();
        }
    }

    private List<ZoneProblem> errors(ZoneContents contents) {
        List<ZoneProblem> errors = new ArrayList<>(problems(fileProblems.errors()));
        errors.addAll(errorsOfRecords(contents));
        config.dnssec().ifPresent(signing -> errors.addAll(serviceTtlErrors(signing)));
        if (contents.hasSignatures() && !isSignedHere()) {
            errors.addAll(presignedZoneErrors());
        }
        return errors;
    }

    private boolean isSignedHere() {
        return config.dnssec().isPresent();
    }

    /** Returns errors for settings that a presigned zone does not support. */
    private List<ZoneProblem> presignedZoneErrors() {
        List<ZoneProblem> problems = new ArrayList<>();
        String signed = config.name() + " is signed by another server (expected: ";
        if (!config.services().isEmpty()) {
            problems.add(
                    ZoneProblem.ofConfiguration(
                            signed
                                    + "no services in the zone, because their answers cannot be signed; or an unsigned zone with dnssec)"));
        }
        if (config.update().isPresent()) {
            problems.add(ZoneProblem.ofConfiguration(signed
                    + "no updates of the zone, because they cannot be signed; or an unsigned zone with dnssec)"));
        }
        return problems;
    }

    private List<ZoneProblem> errorsOfRecords(ZoneContents contents) {
        List<RecordProblem> problems = new ArrayList<>();
        if (config.file().isPresent()) {
            problems.addAll(ZoneRules.problems(contents, /* complete= */ !fileProblems.hasErrors(), isSignedHere()));
        }
        config.dnssec().ifPresent(signing -> problems.addAll(ZoneRules.problems(contents, signing)));
        if (config.file().isEmpty()) {
            return problems.stream()
                    .map(problem -> ZoneProblem.ofConfiguration(problem.text()))
                    .toList();
        }
        FileProblems placed = new FileProblems();
        place(problems, config.file().get()).forEach(problem -> placed.error(problem.place(), problem.message()));
        return problems(placed.errors());
    }

    private List<FileProblem> place(List<RecordProblem> problems, Path file) {
        List<ZoneFilePosition> places = RecordPlaces.of(problems, file, apex);
        List<FileProblem> placed = new ArrayList<>();
        for (int i = 0; i < problems.size(); i++) {
            placed.add(new FileProblem(places.get(i), problems.get(i).text()));
        }
        return placed;
    }

    private static List<ZoneProblem> problems(List<FileProblem> problems) {
        return problems.stream().map(ZoneProblem::of).toList();
    }

    private List<ZoneProblem> serviceTtlErrors(DnssecConfig signing) {
        return config.services().stream()
                .filter(service -> service.ttl().max().compareTo(signing.maxTtl()) > 0)
                .map(service -> config.name() + ": service " + service.name() + " with a TTL of "
                        + service.ttl().max().toSeconds() + " s (expected: at most dnssec.max_ttl, "
                        + signing.maxTtl().toSeconds() + " s)")
                .map(ZoneProblem::ofConfiguration)
                .toList();
    }

    private void addConfiguredRecords(ZoneContentsBuilder records) {
        ZoneConfig.SoaConfig soa = config.soa();
        int negativeTtl = Ttl.seconds(soa.negativeTtl());
        // The TTL of the SOA record equals its minimum field, so that both ways of computing the negative caching
        // time agree (RFC 2308 section 3).
        records.add(new SOARecord(
                apex,
                DClass.IN,
                negativeTtl,
                Names.absolute(soa.primary()),
                Names.absolute(soa.contact()),
                soa.serial(),
                Ttl.seconds(soa.refresh()),
                Ttl.seconds(soa.retry()),
                Ttl.seconds(soa.expire()),
                negativeTtl));
        for (String server : config.nameServers()) {
            records.add(new NSRecord(apex, DClass.IN, Ttl.seconds(config.nsTtl()), Names.absolute(server)));
        }
    }
}
