package io.ballast.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text for a terminal: the first columns are left-aligned, numbers are right-aligned, and the
 * last column has variable length.
 */
public final class TextTable {

    private final int leftAlignedColumns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Creates a table with a line of column names.
     *
     * @param texts number of columns at the left that are not numbers; the last column is never a number
     * @param head the column names
     */
    public TextTable(int texts, String... head) {
        this.leftAlignedColumns = texts;
        rows.add(List.of(head));
    }

    public void add(String... row) {
        rows.add(List.of(row));
    }

    /** Returns one line for each row; the first line contains the column names. */
    public List<String> lines() {
        int last = rows.get(0).size() - 1;
        int[] widths = new int[last];
        rows.forEach(row -> {
            for (int i = 0; i < last; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < last; i++) {
                String space = " ".repeat(widths[i] - row.get(i).length());
                line.append(i < leftAlignedColumns ? row.get(i) + space : space + row.get(i))
                        .append("  ");
            }
            lines.add(line.append(row.get(last)).toString().stripTrailing());
        }
        return lines;
    }
}
