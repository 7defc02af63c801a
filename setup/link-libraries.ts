/** After an install: the links that the embedded PostgreSQL's package can't carry. The service makes them too; here it is the installing user who may write. */
import { findPostgresBinaries } from "../service/src/db/postgres-binaries.ts";

findPostgresBinaries();
