import "./styles.css";
import "./app";
import { theme } from "./session";

theme.show();
