package io.ballast.dns.zone.source;

import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFilePosition;
import io.ballast.dns.zonefile.ZoneFileReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * Finds the positions of records by reading their file again. Storing the position of every record would cost
 * memory in each zone, although only few zones have problems. Confined to the reading thread.
 */
final class RecordPlaces {

    private final Map<Name, List<Integer>> byName = new HashMap<>();
    private final List<RecordProblem> problems;
    private final ZoneFilePosition[] places;

    private RecordPlaces(List<RecordProblem> problems) {
        this.problems = problems;
        this.places = new ZoneFilePosition[problems.size()];
        for (int i = 0; i < problems.size(); i++) {
            byName.computeIfAbsent(problems.get(i).name(), name -> new ArrayList<>())
                    .add(i);
        }
    }

    /** Returns the location of each problem; the start of the file if the record is missing. */
    static List<ZoneFilePosition> of(List<RecordProblem> problems, Path file, Name apex) {
        if (problems.isEmpty()) {
            return List.of();
        }
        RecordPlaces found = new RecordPlaces(problems);
        ZoneFileReader.read(file, apex, found::locateProblems, new FileProblems());
        List<ZoneFilePosition> places = new ArrayList<>();
        for (ZoneFilePosition place : found.places) {
            places.add(place == null ? ZoneFilePosition.startOf(file) : place);
        }
        return places;
    }

    private void locateProblems(Record record, ZoneFilePosition place) {
        for (int i : byName.getOrDefault(record.getName().canonicalize(), List.of())) {
            if (places[i] == null && problems.get(i).isAbout(record)) {
                places[i] = place;
            }
        }
    }
}
