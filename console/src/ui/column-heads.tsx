export interface ColumnHeadsProps<Column extends string> {
  readonly columns: readonly Column[];
  readonly labels: Readonly<Record<Column, string>>;
  /** A last column without a label, for buttons. */
  readonly actions?: boolean;
}

/** The head of a table. */
export function ColumnHeads<Column extends string>({ columns, labels, actions = false }: ColumnHeadsProps<Column>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {labels[column]}
          </th>
        ))}
        {actions ? <td /> : null}
      </tr>
    </thead>
  );
}
